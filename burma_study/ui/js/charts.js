// Small charts, each an image with a text of its own; the figures stand in a table beside them.
import { svg } from './util.js';

export const value = text => { const [a, b = '1'] = String(text).split('/'); return Number(a) / Number(b); };
export const percent = text => { const p = value(text) * 100; return p && p < .05 ? '<0.1 %' : `${p.toFixed(1)} %`; };

// Columns: a distribution over an ordered scale, such as the columns of the Combat Table. `marked` is the column before surprise.
export function columnChart(rows, marked, title) {
  const w = 340, h = 132, base = 100, gap = Math.min(64, w / rows.length), most = Math.max(...rows.map(([, p]) => value(p)), 1e-9);
  const text = rows.map(([name, p]) => `${name} ${percent(p)}`).join(', ');
  const bars = rows.flatMap(([name, p], k) => {
    const tall = 78 * value(p) / most, x = k * gap + gap * .16, y = base - tall;
    return [svg('rect', { x, y, width: gap * .68, height: Math.max(1, tall), class: name === marked ? 'bs-bar-marked' : 'bs-bar-plain', rx: 2 }),
      svg('text', { x: k * gap + gap / 2, y: y - 4, class: 'bs-chart-value' }, percent(p).replace(' %', '')),
      svg('text', { x: k * gap + gap / 2, y: base + 14, class: 'bs-chart-label' }, name), name === marked ? svg('text', { x: k * gap + gap / 2, y: base + 27, class: 'bs-chart-label' }, '▲ start') : null];
  });
  return svg('svg', { viewBox: `0 0 ${w} ${h}`, class: 'bs-chart', role: 'img', 'aria-label': `${title}: ${text}` }, svg('title', {}, `${title}: ${text}`), svg('line', { x1: 0, x2: w, y1: base + .5, y2: base + .5, class: 'bs-axis' }), bars);
}

// A bar inside a table cell.
export function share(p, most) {
  return svg('svg', { viewBox: '0 0 100 10', preserveAspectRatio: 'none', class: 'bs-share', 'aria-hidden': 'true' }, svg('rect', { x: 0, y: 1, height: 8, width: Math.max(.6, 100 * value(p) / value(most)), class: 'bs-bar-plain' }));
}

