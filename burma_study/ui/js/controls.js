// Everything around the canvas: step bar, layers and legend, read-out, text twin, help, link, downloads, correction rows.
import { el, svg, newId, save, words, capital, plural, copyText } from './util.js';
import { nation, NATIONS, side, SUPPLY, LEGS, DIFFERENCES } from './palette.js';
import { drawCounter, status } from './counters.js';
import { sizeMark } from './symbols.js';

const ICONS = {
  first: 'M5 4h2v16H5zM20 4v16L8 12z', prev: 'M18 4v16L6 12z', next: 'M6 4l12 8-12 8z', last: 'M17 4h2v16h-2zM4 4l12 8-12 8z',
  play: 'M6 4l14 8-14 8z', pause: 'M6 4h4v16H6zM14 4h4v16h-4z' };

function icon(name) {
  return svg('svg', { viewBox: '0 0 24 24', width: 18, height: 18, 'aria-hidden': 'true' }, svg('path', { d: ICONS[name], fill: 'currentColor' }));
}

const button = (name, label, onclick, key) => el('button', { type: 'button', class: 'bs-btn', 'aria-label': label, title: key ? `${label} (${key})` : label, onclick }, ICONS[name] ? icon(name) : name);

const LEVELS = ['turn', 'player_turn', 'phase', 'event'];

export class StepBar {
  constructor(film, go) {
    this.film = film; this.go = go; this.timer = null; this.level = 'event';
    this.slider = el('input', { type: 'range', min: 0, max: Math.max(0, film.steps.length - 1), value: 0, class: 'bs-slider', 'aria-label': 'Step', oninput: e => go(Number(e.target.value)) });
    this.title = el('output', { class: 'bs-step-title' });
    this.playButton = button('play', 'Play', () => this.toggle(), 'space');
    const levels = LEVELS.filter(l => film.steps.some(s => s.level === l));
    const choice = levels.length < 2 ? null : el('label', { class: 'bs-choice' }, 'by ', el('select', { 'aria-label': 'Step by', onchange: e => { this.level = e.target.value; } },
      levels.map(l => el('option', { value: l }, words(l)))));
    if (levels.length > 1) this.level = levels[0];
    this.node = el('div', { class: 'bs-bar', role: 'group', 'aria-label': 'Steps' },
      button('first', 'First step', () => this.jump(-1, true), 'Home'), button('prev', 'Previous step', () => this.jump(-1), 'left arrow'), this.playButton,
      button('next', 'Next step', () => this.jump(1), 'right arrow'), button('last', 'Last step', () => this.jump(1, true), 'End'), this.slider, choice, this.title);
    this.node.hidden = film.steps.length < 2;
  }

  // Step by turn, player-turn, phase or event.
  by(level) {
    const box = this.node.querySelector('.bs-choice select');
    if (box && [...box.options].some(o => o.value === level)) this.level = box.value = level;
  }

  jump(by, all = false) {
    const last = this.film.steps.length - 1;
    if (all) return this.go(by > 0 ? last : 0);
    const fine = LEVELS.indexOf(this.level);
    for (let k = this.at + by; k >= 0 && k <= last; k += by) if (LEVELS.indexOf(this.film.steps[k].level) <= fine) return this.go(k);
    return null;
  }

  toggle(on = !this.timer) {
    clearInterval(this.timer); this.timer = null;
    if (on) this.timer = setInterval(() => { if (this.at >= this.film.steps.length - 1) this.toggle(false); else this.jump(1); }, 1400);
    this.playButton.replaceChildren(icon(on ? 'pause' : 'play'));
    this.playButton.setAttribute('aria-label', on ? 'Pause' : 'Play');
  }

  show(step) {
    this.at = step;
    const s = this.film.steps[step];
    if (!s) return;
    this.slider.value = step;
    this.slider.setAttribute('aria-valuetext', `${s.title}, ${s.date}`);
    this.title.textContent = `${s.title} · ${step + 1} of ${this.film.steps.length}`;
  }
}

// Layers: two kinds of switch only, on/off and "whose". The legend stands first, beside what it explains.
const SWITCHES = [
  ['relief', 'Relief', true], ['terrain', 'Terrain classes', true], ['grid', 'Hex grid', true], ['rivers', 'Rivers on hexsides', true],
  ['shapes', 'Real rivers and borders', true], ['routes', 'Railways, roads, tracks', true], ['names', 'Place names', true], ['labels', 'Hex numbers', true],
  ['truePlaces', 'True position of displaced places', true], ['counters', 'Units', true], ['markers', 'Dumps, transport, works', true], ['spots', 'Remarks of the step (remembered)', true], ['online', 'Online map (fetches tiles)', false]];

const PRESETS = {
  Campaign: { relief: true, terrain: true, grid: true, rivers: true, shapes: true, routes: true, names: true, labels: true, truePlaces: true, counters: true, markers: true, spots: true },
  Ground: { relief: true, terrain: true, grid: true, rivers: true, shapes: true, routes: true, names: true, labels: true, truePlaces: true, counters: false, markers: false, spots: false },
  'Supply only': { relief: true, terrain: false, grid: true, rivers: true, shapes: false, routes: true, names: true, labels: false, truePlaces: false, counters: true, markers: true, spots: false } };

// What a reader switched off for good; a shared link starts from the usual layers instead.
const KEPT = 'bs-spots';
const kept = () => { try { return localStorage.getItem(KEPT) !== 'off'; } catch { return true; } };
export const keep = show => { try { localStorage.setItem(KEPT, show.spots ? 'on' : 'off'); } catch { /* storage may be shut */ } };
export const startLayers = (plain = false) => ({ ...Object.fromEntries(SWITCHES.map(([key, , on]) => [key, on])), ...plain ? {} : { spots: kept() } });

export class Layers {
  constructor(show, asked, change, ask, playing) {
    this.show = show; this.asked = asked; this.change = change; this.ask = ask;
    const body = el('div', { class: 'bs-layers-body' });
    this.boxes = {};
    body.append(legend(playing));
    body.append(el('h4', { 'aria-level': 2 }, 'Presets'), el('div', { class: 'bs-row' }, Object.keys(PRESETS).map(name => el('button', { type: 'button', class: 'bs-btn bs-text', onclick: () => this.preset(name) }, name))));
    body.append(el('h4', { 'aria-level': 2 }, 'Whose picture'), this.whose('supply', 'Supply status and lines'), this.whose('zoc', 'Zones of control'));
    body.append(el('h4', { 'aria-level': 2 }, 'Layers'), ...SWITCHES.map(([key, label]) => this.box(key, label)));
    this.node = el('details', { class: 'bs-layers' }, el('summary', { title: 'Layers and legend' }, 'Legend and layers'), body);
  }

  box(key, label) {
    this.boxes[key] = el('input', { type: 'checkbox', onchange: e => { this.show[key] = e.target.checked; this.change(); } });
    this.boxes[key].checked = !!this.show[key];
    return el('label', { class: 'bs-check' }, this.boxes[key], label);
  }

  whose(key, label) {
    this.boxes[key] = el('select', { 'aria-label': label, onchange: e => { this.asked[key] = e.target.value; this.ask(); } },
      ['', 'japanese', 'allied'].map(v => el('option', { value: v }, v ? side(v).name : 'off')));
    this.boxes[key].value = this.asked[key] || '';
    return el('label', { class: 'bs-check' }, label, ' ', this.boxes[key]);
  }

  preset(name) { Object.assign(this.show, PRESETS[name]); this.refresh(); this.change(); }

  refresh() {
    for (const [key, box] of Object.entries(this.boxes)) {
      if (box.type === 'checkbox') box.checked = !!this.show[key]; else box.value = this.asked[key] || '';
    }
  }
}

function swatch(width, height, draw) {
  const ratio = window.devicePixelRatio || 1;
  const canvas = el('canvas', { width: width * ratio, height: height * ratio, style: `width:${width}px;height:${height}px`, 'aria-hidden': 'true' });
  const ctx = canvas.getContext('2d');
  if (!ctx) return canvas;
  ctx.scale(ratio, ratio);
  draw(ctx, width, height);
  return canvas;
}

const line = (width, dash, colour) => swatch(34, 12, (c, w, h) => { c.lineWidth = width; c.setLineDash(dash); c.strokeStyle = colour; c.beginPath(); c.moveTo(2, h / 2); c.lineTo(w - 2, h / 2); c.stroke(); });
const item = (sign, text) => el('li', {}, sign, el('span', {}, ...[text].flat()));

function legend(playing) {
  const sample = { symbol: 'infantry', size: 'bn', lines: ['', ''], mode: 'combat', stock: 'full', formation: '', label: '' };
  const nations = Object.entries(NATIONS).slice(0, 9).map(([key, [, , name]]) => item(
    swatch(26, 26, c => drawCounter(c, { ...sample, nationality: key, side: key === 'japanese' || key === 'ina' ? 'japanese' : 'allied' }, 2, 2, 22, false)), name));
  const ground = [['clear', '#f6edc6'], ['jungle', '#7fb069'], ['rough', '#cfb27a'], ['mountain', '#a98c72'], ['lake', '#86b8de']].map(([name, colour]) => item(
    el('i', { class: 'bs-chip', style: `background:${colour}` }), name));
  return el('div', { class: 'bs-legend' },
    el('h4', { 'aria-level': 2 }, 'Legend'), el('ul', {}, nations),
    el('p', { class: 'bs-small' }, 'Square corners and a red rim: Japanese side. Round corners and a blue rim: Allied side. Seen from afar a box counts the units of one formation that stand near each other: click it for them, hex by hex. Nearer, the figure at a corner counts the stack; crossed lines in a circle: both sides in one hex.'),
    el('ul', {}, ground),
    el('ul', {}, item(line(4, [], '#b0322a'), 'all-weather road'), item(line(2, [7, 2], '#b0561a'), 'fair-weather road'), item(line(1.4, [4, 3], '#5d4427'), 'track'),
      item(swatch(34, 12, (c, w, h) => { c.strokeStyle = '#1b1b1b'; c.lineWidth = 1.5; c.beginPath(); c.moveTo(2, h / 2); c.lineTo(w - 2, h / 2); c.stroke(); c.lineWidth = 6; c.setLineDash([1.2, 6]); c.stroke(); }), 'railway'),
      item(line(3.4, [], '#2f74b5'), 'major river'), item(line(1.4, [], '#2f74b5'), 'minor river')),
    el('h4', { 'aria-level': 2 }, 'Supply'), el('p', { class: 'bs-small' }, 'A headquarters draws supply from a source or a line and throws it on to its units. The band under a line is as wide as the units that it feeds are many. A cross: here a failed trace stopped.'),
    el('ul', { class: 'bs-one' }, Object.entries(SUPPLY).filter(([k]) => k !== 'none' && k !== 'hq').map(([key, s]) => item(swatch(16, 16, c => status(c, key, 8, 8, 5.5)), s.what ? [el('b', {}, s.name), `: ${s.what}`] : s.name))),
    el('ul', { class: 'bs-one' }, Object.values(LEGS).map(s => item(line(s.width, s.dash, '#5b1fa8'), s.name))),
    playing ? [el('h4', { 'aria-level': 2 }, 'Differences, where two states are compared'), el('ul', { class: 'bs-one' }, Object.values(DIFFERENCES).map(d => item(el('i', { class: 'bs-sign', style: `background:${d.colour}` }, d.sign), d.name)))] : null);
}

export function readout() {
  return el('div', { class: 'bs-readout', 'aria-hidden': 'true' });
}

export function unitText(u) {
  const bits = [`${u.label} ${words(u.symbol)} (${sizeMark(u.size) || words(u.size)})`, nation(u.nationality)[2]];
  if (u.formation) bits.push(u.formation);
  const moving = u.mode !== 'combat' && u.mode !== 'reserve';
  bits.push(u.lines[moving ? 1 : 0] || u.lines[0], `${words(u.mode)} mode`);
  if (u.dg) bits.push('disorganised');
  if (u.oos) bits.push('carries an out-of-supply marker');
  if (u.stock !== 'full') bits.push(`stocks ${u.stock}`);
  if (u.supply) bits.push(SUPPLY[u.supply]?.name || u.supply);
  return bits.filter(Boolean).join(', ');
}

export const markerText = m => [capital(words(m.kind)), m.label, m.kind === 'dump' && m.amount ? tokens(m.amount) : '', m.side ? side(m.side).name : ''].filter(Boolean).join(', ');
export const tokens = t => t % 4 ? `${Math.floor(t / 4) ? Math.floor(t / 4) + ' SP ' : ''}${t % 4}T` : `${t / 4} SP`;

const ROUTES = { all_weather: 'all-weather road', fair_weather: 'fair-weather road', rail: 'railway' };

export function describeHex(board, scene, h, fed = 0) {
  const routes = [...(board.routesAt.get(h) || [])].map(k => ROUTES[k] || words(k)), stack = scene?.stacks.get(h) || [], things = scene?.markersAt.get(h) || [];
  const lines = [board.describe(h)];
  if (routes.length) lines.push(routes.join(', '));
  if (stack.length) lines.push(`${plural(stack.length, 'unit')}: ${stack.slice(0, 6).map(u => u.label).join(', ')}${stack.length > 6 ? ' …' : ''}`);
  if (fed) lines.push(`supply of ${plural(fed, 'unit')} passes here`);
  if (things.length) lines.push(things.slice(0, 4).map(markerText).join('; '));
  return lines;
}

const unitButton = (u, current, onclick) => el('button', {
  type: 'button', role: 'option', class: 'bs-tray-unit', 'aria-selected': String(u.id === current), 'aria-label': unitText(u), title: unitText(u), 'data-unit': u.id, onclick },
swatch(58, 58, c => drawCounter(c, u, 3, 3, 52, true)));

// The stack opened: one button a unit, each with its counter, in order.
// The units of a box that stands for several hexes, hex by hex; `march` is a further button with its act.
export function clusterTray(name, groups, current, pick, close, march) {
  const parts = groups.map(([h, label, units]) => el('section', { class: 'bs-tray-hex' },
    el('button', { type: 'button', class: 'bs-link', 'data-hex': label, onclick: () => pick(h, null) }, `${label}, ${plural(units.length, 'unit')}`),
    el('div', { class: 'bs-tray-list', role: 'listbox', 'aria-label': `Units in ${label}` }, units.map(u => unitButton(u, current, () => pick(h, u))))));
  const node = el('div', { class: 'bs-tray bs-cluster', role: 'dialog', 'aria-label': 'Units of this box' }, el('b', {}, name || 'Units nearby'), march ? el('button', { type: 'button', class: 'bs-btn bs-text', onclick: march[1] }, march[0]) : null,
    el('div', { class: 'bs-tray-hexes' }, parts), el('button', { type: 'button', class: 'bs-close', 'aria-label': 'Close', onclick: close }, '×'));
  node.addEventListener('keydown', e => { if (e.key === 'Escape') { e.stopPropagation(); close(); } });
  node.addEventListener('click', e => e.stopPropagation());   // a pick takes the tray away, and the map must not hear of it
  return node;
}

export function tray(units, markers, current, pick, close) {
  const list = el('div', { class: 'bs-tray-list', role: 'listbox', 'aria-label': 'Units in the hex' }, units.map(u => unitButton(u, current, () => pick(u))));
  const things = markers.length ? el('ul', { class: 'bs-tray-things' }, markers.map(m => el('li', {}, markerText(m)))) : null;
  const node = el('div', { class: 'bs-tray', role: 'dialog', 'aria-label': 'Stack' }, list, things, el('button', { type: 'button', class: 'bs-close', 'aria-label': 'Close stack', onclick: close }, '×'));
  node.addEventListener('keydown', e => {
    const all = [...list.children], k = all.indexOf(document.activeElement);
    if (e.key === 'Escape') { close(); e.stopPropagation(); }
    if (['ArrowRight', 'ArrowDown'].includes(e.key)) { all[(k + 1) % all.length]?.focus(); e.preventDefault(); }
    if (['ArrowLeft', 'ArrowUp'].includes(e.key)) { all[(k - 1 + all.length) % all.length]?.focus(); e.preventDefault(); }
    if (e.key.startsWith('Arrow')) e.stopPropagation();
  });
  return node;
}

const quote = value => /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);

// A printed line in its figures: "2-5-3" is attack, action rating and movement, "16-2-2-1" barrage, rating, range, movement.
function figures(printed) {
  const parts = (printed || '').replaceAll(/[()[\]]/g, '').split('-').map(Number), gun = parts.length === 4, whole = printed && [3, 4].includes(parts.length);
  const at = k => whole && !Number.isNaN(parts[k]) ? parts[k] : null;
  return { attack: gun ? null : at(0), barrage: gun ? at(0) : null, rating: at(1), range: gun ? at(2) : null, movement: at(gun ? 3 : 2) };
}

const none = value => value === '' || value === undefined ? null : value;

// Every column has one type, and null where it does not apply; rows go by hex, kind and id.
function positionRows(board, scene, step) {
  const row = (kind, u, own) => ({ kind, id: u.id, label: none(u.label), side: none(u.side), nationality: null, type: null, size: null, formation: null, strength: null, ...figures(''),
    mode: null, dg: null, oos: null, stocks: null, supply: null, amount: null, ...own,
    hex: board.labels[u.hex], lat: Number(board.latLng(u.hex)[0].toFixed(4)), lon: Number(board.latLng(u.hex)[1].toFixed(4)), date: none(step.date) });
  const line = u => u.lines[u.mode === 'move' || u.mode === 'strat' ? 1 : 0] || u.lines[0];
  const units = scene.units.map(u => [u.hex, row('unit', u, { nationality: none(u.nationality), type: none(u.symbol), size: none(u.size), formation: none(u.formation), strength: none(line(u)), ...figures(line(u)),
    mode: none(u.mode), dg: !!u.dg, oos: !!u.oos, stocks: none(u.stock), supply: none(u.supply) })]);
  const markers = scene.markers.map(m => [m.hex, row(m.kind, m, { amount: m.kind === 'dump' || m.amount ? m.amount : null })]);
  const order = (a, b) => a < b ? -1 : Number(a > b);
  return [...units, ...markers].sort(([g, a], [h, b]) => g - h || order(a.kind !== 'unit', b.kind !== 'unit') || order(a.kind, b.kind) || order(a.id, b.id)).map(([, r]) => r);
}

export function toCsv(board, scene, step) {
  const rows = positionRows(board, scene, step);
  if (!rows.length) return '';
  return [Object.keys(rows[0]).join(','), ...rows.map(r => Object.values(r).map(v => quote(v ?? '')).join(','))].join('\n') + '\n';
}

export function toGeoJson(board, scene, step) {
  const features = positionRows(board, scene, step).map(({ lat, lon, ...properties }) => ({ type: 'Feature', geometry: { type: 'Point', coordinates: [lon, lat] }, properties }));
  return JSON.stringify({ type: 'FeatureCollection', features }, null, 1);
}

export function download(board, scene, step, kind, stem) {
  const name = `${stem}-${step.date || 'positions'}.${kind}`;
  if (kind === 'csv') save(name, 'text/csv', toCsv(board, scene, step)); else save(name, 'application/geo+json', toGeoJson(board, scene, step));
}

// The whole map as text: every hex that holds something, in a table that opens on demand.
export function twin(choose) {
  const body = el('tbody'), id = newId('twin');
  const node = el('details', { class: 'bs-twin' }, el('summary', {}, 'The map as a table'),
    el('div', { class: 'bs-scroll', tabindex: 0, role: 'region', 'aria-labelledby': id }, el('table', {}, el('caption', { id }, 'Units and markers by hex'),
      el('thead', {}, el('tr', {}, ['Hex', 'Place', 'Terrain', 'Side', 'What'].map(h => el('th', { scope: 'col' }, h)))), body)));
  const fill = (board, scene) => {
    if (!node.open || !scene) return;
    const hexes = [...new Set([...scene.stacks.keys(), ...scene.markersAt.keys()])].sort((a, b) => a - b);
    body.replaceChildren(...hexes.map(h => {
      const stack = scene.stacks.get(h) || [], things = scene.markersAt.get(h) || [];
      const names = [...new Set((board.placesAt.get(h) || []).map(p => p.name))].join(', ');
      const sides = [...new Set([...stack, ...things].map(u => u.side).filter(Boolean))].map(s => side(s).name).join(' and ');
      return el('tr', {}, el('th', { scope: 'row' }, el('button', { type: 'button', class: 'bs-link', onclick: () => choose(h) }, board.labels[h])), el('td', {}, names), el('td', {}, board.terrainOf(h)), el('td', {}, sides),
        el('td', {}, [...stack.map(unitText), ...things.map(markerText)].join('; ')));
    }));
  };
  return { node, fill };
}

export function dialog(title, ...content) {
  const node = el('dialog', { class: 'bs-dialog', 'aria-label': title }, el('form', { method: 'dialog' }, el('h3', {}, title), ...content, el('button', { class: 'bs-btn bs-text', value: 'close' }, 'Close')));
  node.addEventListener('close', () => node.remove());
  document.body.append(node);
  node.showModal();
  return node;
}

export function copyBox(text, label) {
  const box = el('textarea', { readonly: true, rows: Math.min(6, text.split('\n').length + 1), 'aria-label': label, class: 'bs-copy' });
  box.value = text;
  const done = el('span', { role: 'status' });
  const copy = async () => { done.textContent = await copyText(text, box) ? ' copied' : ' marked: copy it with Ctrl-C'; };
  return el('div', {}, box, el('button', { type: 'button', class: 'bs-btn bs-text', onclick: copy }, 'Copy'), done);
}

export function helpDialog(playing) {
  const table = (title, keys) => el('table', { class: 'bs-keys' }, el('caption', {}, title), el('tbody', {}, keys.map(([k, what]) => el('tr', {}, el('th', { scope: 'row' }, el('kbd', {}, k)), el('td', {}, what)))));
  return dialog('Keys', table('Anywhere on the page, except while you type or choose in a list', [['← →', 'one step back or on'], [', .', 'the same, also on the map'], ['?', 'this help']]),
    table('On the map (click it, or reach it with Tab)', [['← ↑ → ↓', 'move the selected hex'], ['Enter', 'open the stack in the selected hex'], ['Esc', 'close the stack, then drop the selection'], ['+ −', 'zoom'], ['Home End', 'first and last step'], ['space', 'play or pause']]),
    playing ? table('While you play', [['u', 'undo the last order'], ['r', 'redo'], ['e', 'end the phase'], ['Enter', 'choose the stack in the selected hex, or march there'], ['Esc', 'drop what is chosen']]) : null,
    table('On the tabs of the panel', [['← →', 'the tab beside']]));
}

export function reportDialog(board, h) {
  const row = `hex,what,value,reason\n${board.labels[h]},terrain,${board.terrainOf(h)},"what is wrong, and how you know"`;
  return dialog(`Report ${board.labels[h]}`, el('p', {}, `The data say: ${board.describe(h)}. Change value and reason, then add the row to the overrides of the board or send it with your report.`), copyBox(row, 'Correction row'));
}
