// The kinds of section of which panel and desk are built, each from a plain description. Nothing here knows a rule.
import { el, newId } from './util.js';
import { drawCounter } from './counters.js';
import { columnChart, share, percent, value } from './charts.js';

export const tip = (node, text) => { if (text) { node.title = text; node.classList.add('bs-tip'); } return node; };
export const heading = text => text ? el('h4', { 'aria-level': 2 }, text) : null;

// What is wider than the panel is scrolled by keyboard as well; a table that fits is no stop.
export function reachable(body) {
  for (const n of body.querySelectorAll('.bs-wide')) if (n.scrollWidth > n.clientWidth) {
    n.tabIndex = 0; n.setAttribute('role', 'group'); n.setAttribute('aria-label', n.querySelector('caption')?.textContent || 'Table');
  }
}

export const SECTIONS = {
  text: s => el('p', { class: s.tone ? `bs-tone-${s.tone}` : '' }, s.text),
  stories: s => el('div', {}, heading(s.title), s.rows.map(([text, note, head]) => el('p', { class: 'bs-story' }, head ? el('strong', {}, head) : null, text, note ? el('small', {}, note) : null))),
  sentences: s => el('div', {}, heading(s.title), el(s.numbered ? 'ol' : 'ul', { class: 'bs-sentences' }, s.items.map(t => el('li', {}, t)))),
  facts: s => el('div', {}, heading(s.title), el('dl', { class: 'bs-facts' }, s.rows.flatMap(([name, what, why]) => [tip(el('dt', {}, name), why), el('dd', {}, String(what))]))),
  table: (s, send) => el('div', { class: 'bs-wide' }, el('table', {}, el('caption', {}, s.title || ''), el('thead', {}, el('tr', {}, s.columns.map(([name, why]) => tip(el('th', { scope: 'col' }, name), why)))),
    el('tbody', {}, s.rows.map((row, k) => el('tr', s.tones?.[k] ? { class: `bs-row-${s.tones[k]}` } : {}, row.map((cell, c) => el(c ? 'td' : 'th', c ? {} : { scope: 'row' },
      c === 0 && s.picks?.[k] ? el('button', { type: 'button', class: 'bs-link', onclick: () => send(s.pick, s.picks[k]) }, String(cell)) : String(cell ?? ''))))))), s.note ? el('p', { class: 'bs-small' }, s.note) : null),
  columns: s => el('figure', {}, el('figcaption', {}, s.title), columnChart(s.rows, s.marked, s.title), el('details', {}, el('summary', {}, 'As exact fractions'), el('table', {}, el('tbody', {}, s.rows.map(([name, p]) => el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, p), el('td', {}, percent(p)))))))),
  outcomes: s => {
    const most = s.rows.reduce((a, r) => value(r[1]) > value(a) ? r[1] : a, '0');
    const rows = s.rows.map(([name, p, what]) => el('tr', {}, tip(el('th', { scope: 'row' }, name), what), el('td', { class: 'bs-num' }, percent(p)), el('td', { class: 'bs-share-cell' }, share(p, most)), el('td', { class: 'bs-num bs-small' }, p)));
    const table = rs => el('table', {}, el('thead', {}, el('tr', {}, ['Result', 'Chance', 'Share', 'Exact'].map(t => el('th', { scope: 'col' }, t)))), el('tbody', {}, rs));
    return el('div', {}, heading(s.title), s.note ? el('p', { class: 'bs-small' }, s.note) : null, table(rows.slice(0, 12)), rows.length > 12 ? el('details', {}, el('summary', {}, `${rows.length - 12} rarer results`), table(rows.slice(12))) : null);
  },
  choices: (s, send) => {
    const boxes = s.options.map(o => { const box = el('input', { type: 'checkbox', value: o.id, onchange: () => send(s.key, boxes.filter(b => b.checked).map(b => b.value)) }); box.checked = !!o.on; box.disabled = !!o.off; return box; });
    return el('fieldset', { class: 'bs-choices' }, el('legend', {}, s.title), s.options.map((o, k) => tip(el('label', {}, boxes[k], o.label), o.why)));
  },
  select: (s, send) => {
    const box = el('select', { onchange: e => send(s.key, e.target.value) }, s.options.map(([v, label]) => el('option', { value: v }, label)));
    box.value = s.value;
    return tip(el('label', { class: 'bs-select' }, s.label, ' ', box), s.why);
  },
  radio: (s, send) => {
    const name = newId('radio');
    return el('fieldset', { class: 'bs-radio' }, el('legend', {}, s.label), s.options.map(([v, label]) => {
      const box = el('input', { type: 'radio', name, value: v, onchange: () => send(s.key, v) });
      box.checked = v === s.value;
      return el('label', {}, box, label);
    }));
  },
  glossary: s => el('details', { class: 'bs-glossary' }, el('summary', {}, s.title), el('dl', {}, s.rows.flatMap(([word, what]) => [el('dt', {}, word), el('dd', {}, what)]))),
  paste: (s, send) => {
    const box = el('textarea', { rows: 7, spellcheck: 'false', 'aria-label': s.label, placeholder: 'Paste the CSV here, or choose a file' });
    box.value = s.value || '';
    const file = el('input', { type: 'file', accept: '.csv,text/csv', 'aria-label': `${s.label}: file`, onchange: async e => { const [first] = e.target.files; if (first) { box.value = await first.text(); box.focus(); } } });
    return el('div', { class: 'bs-paste' }, el('label', {}, s.label, box), el('div', { class: 'bs-row' }, file, el('button', { type: 'button', class: 'bs-btn bs-text', onclick: () => send(s.key, box.value) }, s.submit)));
  },
  button: (s, send) => el('button', { type: 'button', class: 'bs-btn bs-text', onclick: () => send(s.key, s.value ?? '') }, s.label),
  unit: s => {
    const ratio = window.devicePixelRatio || 1, size = 76, canvas = el('canvas', { width: (size + 6) * ratio, height: (size + 6) * ratio, style: `width:${size + 6}px;height:${size + 6}px`, 'aria-hidden': 'true' });
    const ctx = canvas.getContext('2d');
    ctx?.scale(ratio, ratio);
    if (ctx) drawCounter(ctx, s.counter, 3, 3, size, true);
    return el('div', { class: 'bs-unit' }, canvas, el('div', {}, el('h3', { 'aria-level': 2 }, s.title), s.lines.map(t => el('div', {}, t))));
  } };
