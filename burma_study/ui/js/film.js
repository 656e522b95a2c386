// The steps: roster once, then ten-byte rows; the full state of any step that is held is rebuilt from its key frame.
import { bytes, shorts, parse } from './util.js';

const GONE = 0xFFFF;

const step = ([title, date, level, key, caption, spots, focus]) => ({ title, date, level, key: !!key, caption, spots: spots || [], focus: focus ?? -1 });
const read = look => look[0] === 'marker'
  ? { marker: true, id: look[1], label: look[2], side: look[3], kind: look[4] }
  : { id: look[1], label: look[2], side: look[3], nationality: look[4], symbol: look[5], size: look[6], formation: look[7], lines: [look[8], look[9]] };

export class Film {
  constructor(text) {
    const raw = parse(text, { roster: [], steps: [], modes: [], stocks: [], supply: [] });
    this.words = raw;
    this.steps = raw.steps.map(step);
    this.roster = raw.roster.map(read);
    this.area = raw.area ? new Set(shorts(raw.area)) : null;
    this.segments = [];
    this.cache = new Map();
  }

  load(text) {
    this.segments = parse(text, []);
    this.cache.clear();
  }

  // Steps played since the film was sent; what is there already is left as it is.
  extend(rows) {
    for (const r of rows) {
      if (this.roster.length === r.at) this.roster.push(...r.looks.map(read));
      if (this.steps.length === r.k) this.steps.push(step(r.step));
      const last = this.segments[this.segments.length - 1], end = last ? last.start + last.deltas.length : -1;
      if (r.k !== end + 1) continue;
      if (r.key) this.segments.push({ start: r.k, key: r.rows, deltas: [] }); else last.deltas.push(r.rows);
    }
  }

  segment(step) {
    return this.segments.find(s => step >= s.start && step <= s.start + s.deltas.length);
  }

  holds(step) { return !!this.segment(step); }

  at(step) {
    const segment = this.segment(step);
    if (!segment) return null;
    if (!this.cache.has(step)) this.cache.set(step, this.build(segment, step));
    return this.cache.get(step);
  }

  build(segment, step) {
    const rows = new Map();
    const apply = text => {
      const view = new DataView(bytes(text).buffer);
      for (let k = 0; k < view.byteLength; k += 10) {
        const number = view.getUint16(k, true), hex = view.getUint16(k + 2, true);
        if (hex === GONE) { rows.delete(number); continue; }
        const flags = view.getUint16(k + 4, true);
        rows.set(number, {
          ...this.roster[number], number, hex, mode: this.words.modes[flags & 15], stock: this.words.stocks[flags >> 4 & 3],
          dg: !!(flags & 64), oos: !!(flags & 128), hurt: !!(flags & 256), amount: view.getUint16(k + 6, true),
          order: view.getUint8(k + 8), supply: this.words.supply[view.getUint8(k + 9)] });
      }
    };
    apply(segment.key);
    for (let k = 0; k < step - segment.start; k++) apply(segment.deltas[k]);
    return new Scene([...rows.values()]);
  }
}

export class Scene {
  constructor(pieces) {
    for (const p of pieces) p.filmed = p.supply;
    this.units = pieces.filter(p => !p.marker);
    this.markers = pieces.filter(p => p.marker);
    this.stacks = group(this.units);
    this.markersAt = group(this.markers);
    this.contested = [...this.stacks].filter(([, stack]) => new Set(stack.map(u => u.side)).size > 1).map(([h]) => h);
  }
}

// What the kernel says of supply now stands before what the film says; a digit a look of the roster.
export function setSupply(scene, code, words) {
  for (const u of scene.units) u.supply = code ? words[Number(code[u.number] || 0)] : u.filmed;
}

function group(pieces) {
  const out = new Map();
  for (const p of [...pieces].sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1))) {
    if (!out.has(p.hex)) out.set(p.hex, []);
    out.get(p.hex).push(p);
  }
  return out;
}
