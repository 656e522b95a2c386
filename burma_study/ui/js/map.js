// The map widget: joins the board, the steps and the controls to ipyleaflet's map. No globals, so several can share a page.
import { el, parse, save, isDark, onTheme, localNote } from './util.js';
import { Board } from './board.js';
import { Film, setSupply } from './film.js';
import { drawBase, drawNames } from './base.js';
import { drawCounters, drawMarkers, covered, detail, boxUnder } from './counters.js';
import { readLive, drawOverlays, drawNet, drawTraces, drawSelection, drawSpots } from './overlays.js';
import { Moves } from './moves.js';
import { StepBar, Layers, startLayers, keep, readout, describeHex, unitText, tray, clusterTray, twin, download, helpDialog, reportDialog, copyBox, dialog } from './controls.js';
import { Trail, readFragment, linkOf } from './link.js';
import { Still, canDraw } from './picture.js';

const NOISY = new Set(['mousemove', 'mouseover', 'mouseout', 'mousedown', 'mouseup', 'preclick', 'dblclick']);

// The Leaflet map behind the ipyleaflet model, once its view is in the page.
async function leaflet(model, gone) {
  const parent = await model.widget_manager.get_model(model.get('map').slice('IPY_MODEL_'.length));
  for (let k = 0; k < 1200 && !gone(); k++) {
    for (const promise of Object.values(parent.views || {})) {
      const view = await promise;
      if (view?.obj?._loaded) return [view.obj, view];
    }
    await new Promise(resolve => setTimeout(resolve, 25));
  }
  throw new Error('The map was never shown.');
}

// ipyleaflet sends every movement of the mouse to the kernel; nothing here listens to them.
function silence(view) {
  if (view.bsQuiet) return;
  const send = view.send.bind(view);
  view.send = message => { if (!(message?.event === 'interaction' && NOISY.has(message.type))) send(message); };
  view.bsQuiet = true;
}

class MapView {
  constructor(model, root, map) {
    this.model = model; this.root = root; this.map = map; this.L = window.L;
    this.board = new Board(model.get('board'));
    this.show = startLayers(readFragment(model.get('link_name')) !== null);
    this.touched = 0;
    this.asked = Object.fromEntries((model.get('layers') || '').split(',').filter(Boolean).map(p => p.split(':')));
    this.live = readLive(parse(model.get('live'), {}));
    this.undo = [];
    this.ground = this.canvas('bs-ground', 405);
    this.pieces = this.canvas('bs-pieces', 460);
    this.buildControls();
    this.openFilm();
    this.listen();
    if (model.get('playing')) this.moves = new Moves(this);
    this.fit();
    this.toneRelief();
    this.trail = new Trail(model.get('playing') ? '' : model.get('link_name'), () => this.linkQuery(false), query => model.send({ follow: query }));
    this.undo.push(() => this.trail.close());
    this.readLink();
    if (this.moves && document.body.dataset.voila) {   // another link opened in the same tab; the game that was on stays kept
      this.relink = () => this.readLink();
      window.addEventListener('hashchange', this.relink);
      this.undo.push(() => window.removeEventListener('hashchange', this.relink));
    }
    this.redraw(true);
  }

  // frame ------------------------------------------------------------------------------------------------------------

  canvas(name, z) {
    const pane = this.map.createPane(`${name}-${this.model.model_id || Math.random()}`);
    pane.style.zIndex = z; pane.style.pointerEvents = 'none';
    const canvas = this.L.DomUtil.create('canvas', `${name} leaflet-zoom-animated`, pane);
    canvas.setAttribute('aria-hidden', 'true');
    this.undo.push(() => pane.remove());
    return canvas;
  }

  // Both canvases cover the view and a margin, so that a drag shows drawn ground until it ends.
  place() {
    const size = this.map.getSize(), margin = { x: Math.round(size.x * .2), y: Math.round(size.y * .2) };
    const corner = this.map.containerPointToLayerPoint([-margin.x, -margin.y]).round(), origin = this.map.getPixelOrigin();
    const scale = 2 ** this.map.getZoom(), ratio = window.devicePixelRatio || 1, w = size.x + 2 * margin.x, h = size.y + 2 * margin.y;
    const ox = origin.x + corner.x, oy = origin.y + corner.y;
    this.view = { w, h, ratio, hex: this.board.pitch * scale, px: x => x * scale - ox, py: y => y * scale - oy, margin };
    this.zoom = this.map.getZoom(); this.centre = this.map.getCenter(); this.corner = corner;
    for (const c of [this.ground, this.pieces]) {
      if (c.width !== Math.round(w * ratio) || c.height !== Math.round(h * ratio)) { c.width = Math.round(w * ratio); c.height = Math.round(h * ratio); c.style.width = `${w}px`; c.style.height = `${h}px`; }
      this.L.DomUtil.setTransform(c, corner, 1);
    }
  }

  animate(e) {
    const scale = this.map.getZoomScale(e.zoom, this.zoom), at = this.map._latLngToNewLayerPoint(this.map.layerPointToLatLng(this.corner), e.zoom, e.center);
    for (const c of [this.ground, this.pieces]) this.L.DomUtil.setTransform(c, at, scale);
  }

  context(canvas) {
    const ctx = canvas.getContext('2d');
    ctx.setTransform(this.view.ratio, 0, 0, this.view.ratio, 0, 0);
    ctx.clearRect(0, 0, this.view.w, this.view.h);
    return ctx;
  }

  redraw(ground = false) {
    this.groundDue ||= ground;
    if (this.due) return;
    this.due = requestAnimationFrame(() => { this.due = null; this.draw(); });
  }

  draw() {
    if (!this.map.getSize().x) return;
    const dark = isDark(), fresh = this.groundDue;
    if (fresh) {
      this.place();
      drawBase(this.context(this.ground), this.board, this.view, this.show, dark, this.film.area);
      this.groundDue = false;
    }
    const ctx = this.context(this.pieces), scene = this.scene, look = { unit: this.model.get('unit'), showSupply: !!this.asked.supply, supplySide: this.asked.supply };
    drawOverlays(ctx, this.board, this.view, this.live, dark);
    this.moves?.under(ctx, dark);
    drawNet(ctx, this.board, this.view, this.live, dark);
    const taken = scene && this.show.counters ? covered(this.board, this.view, scene) : [];
    look.names = this.show.names ? drawNames(ctx, this.board, this.view, this.show, dark, taken) : [];
    drawSelection(ctx, this.board, this.view, this.selected, dark, this.live.targets);
    if (detail(this.view.hex) === 'far') drawTraces(ctx, this.board, this.view, this.live, dark);
    if (scene && this.show.markers) drawMarkers(ctx, this.board, this.view, scene);
    const names = scene && this.show.counters ? drawCounters(ctx, this.board, this.view, scene, look) : [];
    if (detail(this.view.hex) !== 'far') drawTraces(ctx, this.board, this.view, this.live, dark);
    this.spots = this.show.spots ? drawSpots(ctx, this.board, this.view, this.film.steps[this.step]?.spots || [], dark, [...taken, ...this.walls()], [...names, ...look.names]) : [];
    this.moves?.above(ctx, dark);
    Object.assign(this.root.dataset, { drawn: `${this.step}:${this.live.seq ?? 0}`, step: this.step, hexPixels: this.view.hex.toFixed(1), detail: detail(this.view.hex) });
    if (!this.told && scene) { this.told = true; this.model.send({ drawn: 1 }); }
  }

  // The controls that lie over the map, as boxes of the canvas: no remark hides under them.
  walls() {
    const box = this.map.getContainer(), at = box.getBoundingClientRect(), { x, y } = this.view.margin;
    return [...box.querySelectorAll('.leaflet-control, .bs-layers')].map(node => node.getBoundingClientRect()).filter(r => r.width).map(r => [r.left - at.left + x - 3, r.top - at.top + y - 3, r.right - at.left + x + 3, r.bottom - at.top + y + 3]);
  }

  // controls -----------------------------------------------------------------------------------------------------------

  buildControls() {
    const box = this.map.getContainer(), stop = node => { this.L.DomEvent.disableClickPropagation(node); this.L.DomEvent.disableScrollPropagation(node); return node; };
    box.classList.add('bs-map'); box.tabIndex = 0; box.__bs = this;
    box.setAttribute('role', 'application');
    box.setAttribute('aria-label', `Map of ${this.board.name}. Arrow keys move the selected hex, Enter opens its stack, question mark lists the keys. A table of the map follows it.`);
    this.layers = new Layers(this.show, this.asked, () => { keep(this.show); this.online(); this.redraw(true); }, () => this.askLayers(), !!this.model.get('playing'));
    this.layers.node.addEventListener('toggle', () => this.redraw());
    this.readout = readout();
    this.trayHolder = stop(el('div', { class: 'bs-tray-holder' }));
    this.added = [stop(this.layers.node), this.readout, this.trayHolder];
    box.append(...this.added);
    this.live_ = el('div', { class: 'bs-sr', 'aria-live': 'polite' });
    this.twin = twin(h => { this.select(h); this.map.panTo(this.board.latLng(h)); });
    this.twin.node.addEventListener('toggle', () => this.twin.fill(this.board, this.scene));
    this.notice = el('p', { class: 'bs-notice', role: 'alert', hidden: true });
    const act = (text, title, onclick) => el('button', { type: 'button', class: 'bs-btn bs-text', title, onclick }, text);
    const stem = () => (this.model.get('scenario') || 'positions').replace(/\W+/g, '-');
    this.actions = el('div', { class: 'bs-actions', role: 'group', 'aria-label': 'Map tools' },
      act('Whole map', 'Show the whole board', () => this.fit(true)), act('Area in play', 'Show the area of the scenario', () => this.fit()), this.focusButton = act('Go to the action', 'Move the map to what the caption tells of', () => this.focus()), act('Share link', 'A link to this scenario, step, layers and selection', () => this.moves ? this.moves.send({ share: 1 }) : this.share()),
      act('CSV', 'Positions at this step as CSV', () => download(this.board, this.scene, this.film.steps[this.step], 'csv', stem())),
      act('GeoJSON', 'Positions at this step as GeoJSON', () => download(this.board, this.scene, this.film.steps[this.step], 'geojson', stem())),
      this.model.get('playing') ? null : act('Picture', 'The map of this step as an SVG picture, for a hand-out', () => { this.wantsPicture = true; this.model.send({ picture: 1 }); }),
      act('Report this hex', 'A correction row for the selected hex', () => this.selected >= 0 ? reportDialog(this.board, this.selected) : this.say('Select a hex first, then report it.')), act('Keys ?', 'Keyboard help', () => helpDialog(!!this.moves)));
    this.barHolder = el('div');
    this.caption = el('p', { class: 'bs-caption', tabindex: 0, role: 'region', 'aria-label': 'What happened' });
    this.root.replaceChildren(this.notice, this.barHolder, this.caption, this.actions, this.live_, this.twin.node);
    this.root.classList.add('bs-root');
    this.undo.push(() => this.added.forEach(node => node.remove()));
  }

  openFilm() {
    this.bar?.toggle(false);
    this.film = new Film(this.model.get('cast'));
    this.film.load(this.model.get('film'));
    this.film.extend(parse(this.model.get('tail'), []));
    this.bar = new StepBar(this.film, step => this.go(step));
    this.barHolder.replaceChildren(this.bar.node);
    if (this.model.get('playing')) this.bar.by('event');
    this.selected = this.model.get('selected');
    this.showStep();
  }

  listen() {
    const { map, model } = this, on = (name, callback) => { map.on(name, callback); this.undo.push(() => map.off(name, callback)); };
    on('moveend zoomend viewreset resize', () => this.redraw(true));
    on('zoomanim', e => this.animate(e));
    on('click', e => this.click(e));
    on('mousemove', e => this.hover(e));
    on('mouseout', () => { this.readout.textContent = ''; });
    map.keyboard?.disable();
    const heard = { step: () => this.showStep(), film: () => { this.film.load(model.get('film')); this.showStep(); }, cast: () => { this.openFilm(); if (this.fitted !== model.get('scenario')) this.fit(); this.redraw(true); }, tail: () => { this.openFilm(); this.redraw(); }, board: () => this.newBoard(),
      live: () => { this.live = readLive(parse(model.get('live'), {})); this.status(); this.redraw(); }, selected: () => { const own = this.selected === model.get('selected'); this.selected = model.get('selected'); if (!own && this.selected >= 0) this.lookAt([this.selected]); this.trail.note(); this.announce(); this.redraw(); },
      unit: () => { this.trail.note(); this.redraw(); }, layers: () => this.readLayers(), notice: () => this.say(model.get('notice')) };
    for (const [name, callback] of Object.entries(heard)) { model.on(`change:${name}`, callback); this.undo.push(() => model.off(`change:${name}`, callback)); }
    const hear = message => { if (message?.look) this.lookAt(message.look); if (message?.picture && this.wantsPicture) { this.wantsPicture = false; save(`${(model.get('scenario') || 'map').replace(/\W+/g, '-')}-${this.film.steps[this.step]?.date || ''}.svg`, 'image/svg+xml', message.picture); } };
    model.on('msg:custom', hear); this.undo.push(() => model.off('msg:custom', hear));
    const page = e => this.pageKey(e);
    document.addEventListener('keydown', page); this.undo.push(() => document.removeEventListener('keydown', page));
    const keys = e => this.key(e);
    for (const node of [map.getContainer(), this.root]) { node.addEventListener('keydown', keys); this.undo.push(() => node.removeEventListener('keydown', keys)); }
    this.undo.push(onTheme(() => { this.toneRelief(); this.redraw(true); }));
    const ratio = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`), sharper = () => this.redraw(true);
    ratio.addEventListener?.('change', sharper); this.undo.push(() => ratio.removeEventListener?.('change', sharper));
    const size = new ResizeObserver(() => map.invalidateSize({ pan: false })); size.observe(map.getContainer()); this.undo.push(() => size.disconnect());
    this.say(model.get('notice'));
  }

  newBoard() { this.board = new Board(this.model.get('board')); this.fit(true); this.redraw(true); }

  // The relief is an image of the ground under both canvases, kept as a Leaflet overlay of its own.
  toneRelief() {
    const { relief } = this.board;
    if (relief && !this.reliefLayer) {
      const name = `bs-relief-${this.model.model_id || Math.random()}`, pane = this.map.createPane(name);
      pane.style.zIndex = 210; pane.style.pointerEvents = 'none'; this.undo.push(() => pane.remove());
      this.reliefLayer = this.L.imageOverlay(relief.url, relief.bounds, { pane: name, alt: '', className: 'bs-relief' });
    }
    if (!this.reliefLayer) return;
    if (this.show.relief) this.reliefLayer.addTo(this.map); else this.reliefLayer.remove();
    const image = this.reliefLayer.getElement?.();
    if (image) image.style.filter = isDark() ? 'brightness(.45) contrast(1.1)' : '';
  }

  // Tiles come from outside only when a reader asks for them, and may fail without harm.
  online() {
    this.toneRelief();
    if (this.show.online && !this.tiles) {
      this.tiles = this.L.tileLayer('https://tile.openstreetmap.org/{z}/{x}/{y}.png', { attribution: '© OpenStreetMap contributors', zIndex: 1, maxZoom: 19 });
      this.undo.push(() => this.tiles.remove());
    }
    if (this.tiles) { if (this.show.online) this.tiles.addTo(this.map); else this.tiles.remove(); }
  }

  // The whole board, or the area in play of the scenario.
  fit(whole = false) {
    this.fitted = this.model.get('scenario');
    const { area } = this.film, board = this.board, hexes = !whole && area?.size ? [...area] : null;
    const span = values => [Math.min(...values), Math.max(...values)];
    const [x0, x1, y0, y1] = hexes ? [...span(hexes.map(h => board.x[h])), ...span(hexes.map(h => board.y[h]))] : [board.bounds[0], board.bounds[2], board.bounds[1], board.bounds[3]];
    const z = this.map.getZoom(), corner = (x, y) => this.map.unproject([x * 2 ** z, y * 2 ** z], z);
    this.map.fitBounds([corner(x0, y0), corner(x1, y1)], { animate: false, padding: [8, 8] });
    this.fillView(this.map.latLngToContainerPoint(corner(x0, y0)), this.map.latLngToContainerPoint(corner(x1, y1)));
  }

  // Where the relief ends inside the view, the map is shifted, as far as the area (given by two corners) stays in view.
  fillView(a, b) {
    const { relief } = this.board;
    if (!relief) return;
    const [[south, west], [north, east]] = relief.bounds, nw = this.map.latLngToContainerPoint([north, west]), se = this.map.latLngToContainerPoint([south, east]), size = this.map.getSize();
    const shift = (from, to, length, low, high) => {
      const [room, spare] = [Math.max(0, Math.min(low, high) - 8), Math.max(0, length - Math.max(low, high) - 8)];
      if (from > 0) return Math.min(from, room);
      return to < length ? -Math.min(length - to, spare) : 0;
    };
    this.map.panBy([shift(nw.x, se.x, size.x, a.x, b.x), shift(nw.y, se.y, size.y, a.y, b.y)], { animate: false });
  }

  // Hexes named by the kernel (a unit of a list, a choke point) come into view, if they are not.
  lookAt(hexes) {
    const places = hexes.map(h => this.board.latLng(h)), inside = this.map.getBounds().pad(-.05);
    if (!places.length || places.every(p => inside.contains(p))) return;
    if (places.length === 1) this.map.panTo(places[0], { animate: false });
    else this.map.fitBounds(places, { animate: false, padding: [60, 60], maxZoom: Math.max(8, this.map.getZoom()) });
  }

  // steps --------------------------------------------------------------------------------------------------------------

  go(step) {
    this.touched = Date.now();
    if (step === this.model.get('step')) return;
    this.model.set('step', step);
    this.model.save_changes();
  }

  showStep() {
    this.step = this.model.get('step');
    const scene = this.film.at(this.step);
    this.bar.show(this.step);
    if (!scene) return;          // the kernel is sending the window around this step
    this.scene = scene;
    this.status();
    const s = this.film.steps[this.step];
    this.caption.textContent = s?.caption || '';
    this.focusButton.hidden = !s || s.focus < 0;
    this.closeTray();
    this.twin.fill(this.board, scene);
    this.live_.textContent = s ? `${s.title}. ${scene.units.length} units.` : '';
    this.trail?.note();
    this.redraw();
  }

  focus() {
    const h = this.film.steps[this.step]?.focus ?? -1;
    if (h >= 0) this.map.setView(this.board.latLng(h), Math.max(this.map.getZoom(), 9), { animate: false });
  }

  status() { if (this.scene) setSupply(this.scene, this.live.status, this.film.words.supply); }

  // selection ------------------------------------------------------------------------------------------------------------

  // What is drawn goes before what lies under it: a box may stand for units of several hexes.
  boxAt(e) {
    if (!this.scene || !this.show.counters || !this.view) return null;
    const p = this.map.latLngToContainerPoint(e.latlng);
    return boxUnder(this.board, this.view, this.scene, p.x + this.view.margin.x, p.y + this.view.margin.y);
  }

  click(e) {
    this.touched = Date.now();
    const under = this.board.at(e.latlng.lat, e.latlng.lng), box = this.moves?.takes(under) ? null : this.boxAt(e);
    this.map.getContainer().focus({ preventScroll: true });
    if (box && box.hexes.length > 1) { this.openCluster(box, under); return; }
    const h = box ? box.hexes[0] : under;
    if (h < 0 || this.board.terrain[h] === 'o') return;
    this.closeTray();
    if (this.moves) { if (!this.moves.click(h)) this.select(h); return; }
    const again = h === this.selected;
    this.select(h);
    if (again || box || (this.scene?.stacks.get(h) || []).length) this.openTray(false);
  }

  select(h) {
    if (h === this.selected && h === this.model.get('selected')) return;
    this.closeTray();
    this.selected = h;
    this.model.set('selected', h);
    this.model.save_changes();
    this.announce();
    this.redraw();
  }

  announce() {
    if (this.selected >= 0) this.live_.textContent = describeHex(this.board, this.scene, this.selected, this.live.through.get(this.selected)).join('. ');
  }

  hover(e) {
    const box = detail(this.view.hex) === 'far' ? this.boxAt(e) : null, h = box?.hexes.length === 1 ? box.hexes[0] : this.board.at(e.latlng.lat, e.latlng.lng);
    const key = box ? `${box.units[0].id}:${h}` : h;
    if (key === this.hovered) return;
    this.hovered = key;
    if (box && box.hexes.length > 1) { this.readout.replaceChildren(el('b', {}, `${box.name || 'Several formations'}: ${box.units.length} units in ${box.hexes.length} hexes`), el('span', {}, 'Click for the units by hex.')); return; }
    this.readout.replaceChildren(...(h < 0 ? [] : [...describeHex(this.board, this.scene, h, this.live.through.get(h)), ...(this.moves?.tip(h) || [])].map((text, k) => el(k ? 'span' : 'b', {}, text))));
  }

  openTray(focus) {
    const stack = this.scene?.stacks.get(this.selected) || [], things = this.scene?.markersAt.get(this.selected) || [];
    if (!stack.length && !things.length) return;
    const [lat, lng] = this.board.latLng(this.selected), p = this.map.latLngToContainerPoint([lat, lng]), size = this.map.getSize();
    const node = tray(stack, things, this.model.get('unit'), u => this.pick(u), () => { this.closeTray(); this.map.getContainer().focus(); });
    this.putTray(node, p, size, focus);
  }

  // A box of several hexes: its units by hex, each to be picked; in play also the way to the hex under the pointer.
  openCluster(box, under) {
    const groups = box.hexes.map(h => [h, this.board.labels[h], box.units.filter(u => u.hex === h)]);
    const close = () => { this.closeTray(); this.map.getContainer().focus(); };
    const way = this.moves?.ways.get(under), march = way ? [`March here: ${this.board.labels[under]}, ${way.cost}`, () => { this.closeTray(); this.moves.send({ go: under }); }] : null;
    const node = clusterTray(box.name, groups, this.model.get('unit'), (h, u) => this.fromCluster(h, u), close, march);
    const xs = box.hexes.map(h => this.map.latLngToContainerPoint(this.board.latLng(h)));
    this.putTray(node, { x: xs.reduce((s, p) => s + p.x, 0) / xs.length, y: xs.reduce((s, p) => s + p.y, 0) / xs.length }, this.map.getSize(), false);
  }

  fromCluster(h, u) {
    const held = this.trayHolder.contains(document.activeElement);   // the focus of the keyboard is not lost with the box
    if (this.moves) { this.select(h); this.closeTray(); if (held) this.map.getContainer().focus({ preventScroll: true }); this.moves.send(u ? { one: u.id } : { pick: h }); return; }
    this.select(h);
    this.openTray(held);
    if (u) this.pick(u);
    if (u && held) [...this.trayHolder.querySelectorAll('.bs-tray-unit')].find(b => b.dataset.unit === u.id)?.focus();
  }

  putTray(node, p, size, focus) {
    this.trayHolder.replaceChildren(node);
    const w = node.offsetWidth, h = node.offsetHeight, gap = Math.max(16, this.view.hex * .55);
    node.style.left = `${Math.max(6, Math.min(size.x - w - 6, p.x - w / 2))}px`;
    node.style.top = `${p.y + gap + h < size.y ? p.y + gap : Math.max(6, p.y - gap - h)}px`;
    if (focus) node.querySelector('button')?.focus();
  }

  closeTray() { this.trayHolder?.replaceChildren(); }

  pick(u) {
    this.model.set('unit', u.id);
    this.model.save_changes();
    for (const b of this.trayHolder.querySelectorAll('.bs-tray-unit')) b.setAttribute('aria-selected', String(b.dataset.unit === u.id));
    this.live_.textContent = unitText(u);
    this.redraw();
  }

  key(e) {
    if (e.altKey || e.ctrlKey || e.metaKey || e.target.closest('textarea, select, .bs-tray, dialog')) return;
    const onMap = e.target === this.map.getContainer(), onSlider = e.target === this.bar.slider;
    const arrow = onMap && e.key.startsWith('Arrow');
    const acts = {
      ArrowLeft: () => this.bar.jump(-1), ArrowRight: () => this.bar.jump(1), ',': () => this.bar.jump(-1), '.': () => this.bar.jump(1), Home: () => this.bar.jump(-1, true), End: () => this.bar.jump(1, true),
      '?': () => helpDialog(!!this.moves), Enter: onMap ? () => this.moves ? this.moves.click(this.selected) : this.openTray(true) : null, Escape: () => this.escape(), '+': onMap ? () => this.map.zoomIn() : null, '=': onMap ? () => this.map.zoomIn() : null, '-': onMap ? () => this.map.zoomOut() : null,
      ' ': onMap || onSlider ? () => this.bar.toggle() : null };
    const act = arrow ? () => this.move(e.key) : onSlider && e.key !== ' ' && e.key !== '?' ? null : acts[e.key];
    if (!act) return;
    e.preventDefault(); e.stopPropagation();
    act();
  }

  // Keys that mean the same anywhere on the page: the map used last answers. JupyterLab's own keys go first there.
  pageKey(e) {
    const node = e.target;
    if (e.defaultPrevented || e.altKey || e.ctrlKey || e.metaKey || !node?.closest) return;
    if (node.closest('input, textarea, select, [contenteditable="true"], [role="tablist"], dialog, .bs-map, .bs-root')) return;
    if (!document.body.dataset.voila && !node.closest('.bs-study')) return;
    const act = { ArrowLeft: () => this.bar.jump(-1), ArrowRight: () => this.bar.jump(1), ',': () => this.bar.jump(-1), '.': () => this.bar.jump(1), '?': () => helpDialog(!!this.moves) }[e.key];
    if (!act || this !== this.lead(node)) return;
    e.preventDefault();
    act();
  }

  lead(node) {
    const near = node.closest('.bs-study')?.querySelector('.bs-map')?.__bs;
    return near || [...document.querySelectorAll('.bs-map')].map(n => n.__bs).filter(Boolean).reduce((a, b) => b.touched > a.touched ? b : a);
  }

  escape() {
    if (this.trayHolder.childElementCount) return this.closeTray();
    if (this.selected >= 0) this.select(-1);
    return null;
  }

  move(key) {
    const h = this.selected < 0 ? this.board.at(this.map.getCenter().lat, this.map.getCenter().lng) : this.board.step(this.selected, key);
    if (h < 0 || h === undefined || this.board.terrain[h] === 'o') return;
    this.select(h);
    if (!this.map.getBounds().pad(-.06).contains(this.board.latLng(h))) this.map.panTo(this.board.latLng(h), { animate: false });
  }

  // layers and links -------------------------------------------------------------------------------------------------------

  askLayers() {
    this.model.set('layers', Object.entries(this.asked).filter(([, v]) => v).map(p => p.join(':')).join(','));
    this.model.save_changes();
    this.redraw();
  }

  readLayers() {
    for (const key of Object.keys(this.asked)) delete this.asked[key];
    Object.assign(this.asked, Object.fromEntries(this.model.get('layers').split(',').filter(Boolean).map(p => p.split(':'))));
    this.layers.refresh();
    this.trail?.note();
    this.redraw();
  }

  // The kernel never sees the fragment, so it is handed over once; what it means is checked there.
  readLink() {
    const asked = readFragment(this.model.get('link_name'));
    if (asked === null) return;
    const query = new URLSearchParams(asked), off = (query.get('hide') || '').split(',');
    for (const key of off) if (key in this.show) this.show[key] = false;
    const [lat, lng, zoom] = (query.get('view') || '').split(',').map(Number);
    if (Number.isFinite(lat) && Number.isFinite(lng) && zoom >= 4 && zoom <= 14 && Math.abs(lat) < 80 && Math.abs(lng) <= 180) this.map.setView([lat, lng], zoom, { animate: false });
    this.layers.refresh();
    this.model.set('link', asked);
    this.model.save_changes();
  }

  // The view is part of a shared link, not of the trail of what was looked at.
  linkQuery(view = true) {
    const c = this.map.getCenter(), q = new URLSearchParams();
    const put = (key, value) => { if (value) q.set(key, value); };
    put('scenario', this.model.get('scenario')); put('step', String(this.step)); put('layers', this.model.get('layers') || 'none');
    put('hex', this.selected >= 0 ? this.board.labels[this.selected] : ''); put('unit', this.model.get('unit'));
    put('hide', Object.entries(this.show).filter(([k, on]) => !on && k !== 'online').map(([k]) => k).join(','));
    if (view) put('view', `${c.lat.toFixed(3)},${c.lng.toFixed(3)},${this.map.getZoom()}`);
    return q.toString();
  }

  share() {
    const url = linkOf(this.model.get('link_name'), this.linkQuery());
    dialog('Share this view', el('p', {}, 'The link opens this scenario, step, layers and selection.' + localNote()), copyBox(url, 'Link'));
  }

  say(text) {
    this.notice.textContent = text || '';
    this.notice.hidden = !text;
  }

  close() {
    this.bar.toggle(false);
    this.reliefLayer?.remove();
    cancelAnimationFrame(this.due);
    for (const act of this.undo.reverse()) { try { act(); } catch { /* the map went first */ } }
  }
}

async function render({ model, el: root }) {
  let gone = false, shown = null;
  const still = why => { if (!gone) shown = new Still(model, root, why); };
  const asked = model.get('still') || new URLSearchParams(location.search).has('picture');
  const draw = ([map, view]) => {
    if (gone) return;
    if (!canDraw()) { still('This browser cannot draw the map, so a picture of each step stands in its place.'); return; }
    silence(view);
    try { shown = new MapView(model, root, map); } catch (error) { console.warn(error); still('The map could not be drawn, so a picture of each step stands in its place.'); }
  };
  if (asked) still('');
  else leaflet(model, () => gone).then(draw, () => still('The map did not come up, so a picture of each step stands in its place.'));
  return () => { gone = true; shown?.close(); };
}

export default { render };
