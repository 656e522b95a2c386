// What play adds to a map: where the chosen units may go, the way there under the pointer, picking and dragging, marks of
// differences, and maps that move together. The kernel says what is legal; nothing here knows a rule.
import { hexPath } from './base.js';
import { corners } from './counters.js';
import { palette, DIFFERENCES } from './palette.js';
import { parse } from './util.js';

const POINTS = new Set(['truck', 'mule', 'wagon', 'buffalo']);

export class Moves {
  constructor(view) {
    this.view = view; this.id = Math.random();
    const { map, model } = view, on = (name, callback) => { map.on(name, callback); view.undo.push(() => map.off(name, callback)); };
    this.hear = () => { this.read(); view.redraw(); };
    model.on('change:moves', this.hear);
    view.undo.push(() => model.off('change:moves', this.hear));
    on('mousedown', e => this.down(e));
    on('mousemove', e => this.over(view.board.at(e.latlng.lat, e.latlng.lng)));
    on('mouseup', e => this.up(e));
    if (model.get('group')) this.join(model.get('group'), on);
    this.read();
  }

  read() {
    const raw = parse(this.view.model.get('moves'), {});
    this.from = raw.from ?? -1;
    this.ways = new Map((raw.ways || []).map(([h, cost, path]) => [h, { cost, path }]));
    this.marks = raw.marks || [];
    this.lit = raw.lit || [];
    this.ask(raw.asked || []);
    this.pointed = -1;
    this.view.root.dataset.moves = `${raw.seq ?? 0}:${this.ways.size}`;
  }

  // A question is about these hexes: outlined, and the first brought into view.
  ask(hexes) {
    const { map, board } = this.view, [first] = hexes, fresh = first !== undefined && first !== this.asked?.[0];
    this.asked = hexes;
    if (fresh && !map.getBounds().pad(-.08).contains(board.latLng(first))) map.panTo(board.latLng(first), { animate: false });
  }

  // Does the map itself answer a click, instead of selecting the hex?
  click(h) {
    if (this.dropped) { this.dropped = false; return true; }
    if (this.ways.has(h) && !this.held(h)) { this.send({ go: h }); return true; }
    this.send({ pick: h });
    return false;
  }

  // Does something stand there that a click selects? Then one marches there by dragging or by the desk's button.
  held(h) {
    const scene = this.view.scene;
    return (scene?.stacks.get(h) || []).length > 0 || (scene?.markersAt.get(h) || []).some(m => POINTS.has(m.kind));
  }

  // A drop, or a hex that fills the open slot of an order: no box goes before it.
  takes(h) { return this.dropped || this.lit.includes(h); }

  send(message) { this.view.root.dataset.asked = String(Number(this.view.root.dataset.asked || 0) + 1); this.view.model.send(message); }

  over(h) {
    if (h === this.pointed) return;
    this.pointed = h;
    if (this.ways.size) this.view.redraw();
  }

  tip(h) {
    const way = this.ways.get(h), mark = this.marks.filter(m => m[0] === h).map(m => m[2]);
    return [...(way ? [way.cost] : []), ...mark];
  }

  down(e) {
    const h = this.view.board.at(e.latlng.lat, e.latlng.lng);
    if (!this.ways.size || (h !== this.from && !this.view.boxAt(e)?.hexes.includes(this.from))) return;
    this.start = h; this.dragged = true; this.view.map.dragging.disable();
  }

  up(e) {
    if (!this.dragged) return;
    this.dragged = false; this.view.map.dragging.enable();
    const h = this.view.board.at(e.latlng.lat, e.latlng.lng);
    if (h === this.from || h === this.start) return;
    this.dropped = true; setTimeout(() => { this.dropped = false; }, 60);
    this.send(this.ways.has(h) ? { go: h } : { pick: h });
  }

  // Under the counters: hexes within reach, and those that may fill the open slot of an order.
  under(ctx, dark) {
    const { board, view } = this.view, inks = palette(dark);
    ctx.save();
    for (const [h, way] of this.ways) {
      hexPath(ctx, board, view, h, .93);
      ctx.globalAlpha = .30; ctx.fillStyle = inks.reach; ctx.fill();
      ctx.globalAlpha = .9; ctx.lineWidth = 1.2; ctx.strokeStyle = inks.reach; ctx.stroke();
      if (view.hex >= 34) { ctx.fillStyle = inks.ink; ctx.font = '600 10px system-ui, sans-serif'; ctx.textAlign = 'center'; ctx.fillText(way.cost.replace(/ MP.*/, ''), view.px(board.x[h]), view.py(board.y[h]) - view.hex * .30); }
    }
    ctx.globalAlpha = 1;
    const many = this.lit.length > 60;   // so many may be picked: a tint instead of rims that hide the map
    if (many) { ctx.globalAlpha = .22; ctx.fillStyle = dark ? '#ffd54a' : '#b8860b'; for (const h of this.lit) { hexPath(ctx, board, view, h, 1); ctx.fill(); } ctx.globalAlpha = 1; }
    for (const h of many ? [] : this.lit) { hexPath(ctx, board, view, h, .9); ctx.lineWidth = 3; ctx.setLineDash([7, 4]); ctx.strokeStyle = dark ? '#ffd54a' : '#7a3f00'; ctx.stroke(); }
    ctx.setLineDash([]);
    for (const h of this.asked) { hexPath(ctx, board, view, h, .98); ctx.lineWidth = 6; ctx.strokeStyle = dark ? '#000' : '#fff'; ctx.stroke(); ctx.lineWidth = 3.5; ctx.strokeStyle = dark ? '#ff8a80' : '#8a1c1c'; ctx.stroke(); }
    ctx.restore();
  }

  // Over them: the way to the hex under the pointer, and marks.
  above(ctx, dark) {
    const { board, view } = this.view, way = this.ways.get(this.pointed) || this.ways.get(this.view.selected), xy = h => [view.px(board.x[h]), view.py(board.y[h])];
    ctx.save(); ctx.lineJoin = ctx.lineCap = 'round'; ctx.setLineDash([]);
    if (way && this.from >= 0) {
      for (const [width, colour] of [[7, dark ? '#000' : '#fff'], [3.5, palette(dark).reach]]) {
        ctx.beginPath(); [this.from, ...way.path].forEach((h, k) => ctx[k ? 'lineTo' : 'moveTo'](...xy(h))); ctx.lineWidth = width; ctx.strokeStyle = colour; ctx.stroke();
      }
      const [x, y] = xy(way.path[way.path.length - 1]);
      ctx.beginPath(); ctx.arc(x, y, 6, 0, 7); ctx.fillStyle = palette(dark).reach; ctx.fill();
    }
    for (const [[x, y], kind, h] of this.signs()) {
      const { colour: light, pale, sign } = DIFFERENCES[kind] || DIFFERENCES.other, r = Math.max(4.8, Math.min(12, view.hex * .17));
      if (h >= 0) { hexPath(ctx, board, view, h, .95); ctx.lineWidth = 2.5; ctx.strokeStyle = dark ? pale : light; ctx.stroke(); }
      ctx.beginPath(); ctx.arc(x, y, r, 0, 7); ctx.fillStyle = dark ? pale : light; ctx.fill(); ctx.lineWidth = 1; ctx.strokeStyle = dark ? '#000' : '#fff'; ctx.stroke();
      ctx.fillStyle = dark ? '#111' : '#fff'; ctx.font = `700 ${Math.round(r * 1.6)}px system-ui, sans-serif`; ctx.textAlign = 'center'; ctx.textBaseline = 'middle'; ctx.fillText(sign, x, y + 1); ctx.textBaseline = 'alphabetic';
    }
    ctx.restore();
  }

  // Where each mark is drawn: in its hex, or far out once at the corner of the box that stands for the hex.
  signs() {
    const { board, view, scene, show } = this.view, near = view.hex >= 30, off = near ? view.hex * .3 : 0;
    const boxed = !near && scene && show.counters ? corners(board, view, scene) : new Map(), seen = new Map();
    for (const [h, kind] of this.marks) {
      const at = boxed.get(h) || [view.px(board.x[h]) + off, view.py(board.y[h]) - off], key = at.join();
      const other = seen.get(key);
      seen.set(key, [at, other && other[1] !== kind ? 'other' : kind, near ? h : -1]);
    }
    return seen.values();
  }

  // Maps of one group show the same ground.
  join(group, on) {
    const { map } = this.view, tell = () => { if (!this.led) document.dispatchEvent(new CustomEvent('bs-view', { detail: { group, id: this.id, centre: map.getCenter(), zoom: map.getZoom() } })); };
    const follow = e => {
      const { detail } = e;
      if (detail.group !== group || detail.id === this.id) return;
      this.led = true; map.setView(detail.centre, detail.zoom, { animate: false }); this.led = false;
    };
    on('move zoomend', tell);
    document.addEventListener('bs-view', follow);
    this.view.undo.push(() => document.removeEventListener('bs-view', follow));
  }
}
