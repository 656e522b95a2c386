// The board: hex centres and corners in Mercator world units (0 to 256 across the globe), neighbours, edges, hit test.
import { floats, shorts, parse } from './util.js';

const RAD = Math.PI / 180;
export const worldX = lon => (lon + 180) / 360 * 256;
export const worldY = lat => (0.5 - Math.log(Math.tan(Math.PI / 4 + lat * RAD / 2)) / (2 * Math.PI)) * 256;
const latitude = y => (2 * Math.atan(Math.exp((0.5 - y / 256) * 2 * Math.PI)) - Math.PI / 2) / RAD;
const longitude = x => x / 256 * 360 - 180;

export const DIRECTIONS = ['N', 'NE', 'SE', 'S', 'SW', 'NW'];
const TERRAIN = { c: 'clear', j: 'jungle', r: 'rough', m: 'mountain', l: 'lake', o: 'off' };

export class Board {
  constructor(text) {
    const raw = parse(text, {});
    Object.assign(this, { name: raw.name, lines: raw.lines, length: raw.length, raised: raw.raised, firstLine: raw.first_line });
    this.n = this.lines * this.length;
    this.labels = raw.labels.split(' ');
    this.hexOf = new Map(this.labels.map((label, h) => [label, h]));
    this.terrain = raw.terrain;
    this.features = new Map(raw.features);
    this.places = raw.places.map(([name, hex, kind, lat, lon, rank, x]) => ({
      name, hex, kind, rank, apart: x, x: lat === null ? null : worldX(lon), y: lat === null ? null : worldY(lat) }));
    this.ranked = this.places.filter(p => p.hex >= 0).sort((a, b) => b.rank - a.rank);
    this.placesAt = new Map();
    for (const p of this.places) if (p.hex >= 0) this.placesAt.set(p.hex, [...(this.placesAt.get(p.hex) || []), p]);
    this.layPoints(floats(raw.centres));
    this.layNeighbours();
    this.routes = raw.routes.map(([kind, name, path]) => ({ kind, name, path: [...shorts(path)] }));
    this.routesAt = new Map();
    for (const r of this.routes) for (const h of r.path) this.routesAt.set(h, (this.routesAt.get(h) || new Set()).add(r.kind));
    this.sides = raw.sides.map(([kind, text]) => ({ kind, lines: this.chain(shorts(text)) }));
    this.sideKinds = new Map();
    for (const [kind, text] of raw.sides) this.noteSides(kind, shorts(text));
    this.shapes = (raw.shapes || []).map(([kind, text]) => ({ kind, points: this.project(floats(text)) }));
    this.relief = raw.relief || null;
  }

  noteSides(kind, pairs) {
    for (let k = 0; k < pairs.length; k += 2) {
      for (const [h, other] of [[pairs[k], pairs[k + 1]], [pairs[k + 1], pairs[k]]]) {
        const d = this.directionTo(h, other);
        if (d >= 0) this.sideKinds.set(h, [...(this.sideKinds.get(h) || []), [kind, d]]);
      }
    }
  }

  project(pairs) {
    const out = new Float64Array(pairs.length);
    for (let k = 0; k < pairs.length; k += 2) { out[k] = worldX(pairs[k + 1]); out[k + 1] = worldY(pairs[k]); }
    return out;
  }

  // The centres come with one ring more than the board has, so that every corner is the mean of three centres.
  layPoints(padded) {
    const points = this.project(padded), tall = this.length + 2, n = this.n;
    this.x = new Float64Array(n); this.y = new Float64Array(n);
    this.cornerX = new Float64Array(n * 6); this.cornerY = new Float64Array(n * 6);
    const at = (u, v) => 2 * ((u + 1) * tall + v + 1);
    for (let h = 0; h < n; h++) {
      const u = Math.floor(h / this.length), v = h % this.length, c = at(u, v);
      this.x[h] = points[c]; this.y[h] = points[c + 1];
      const ring = this.around(u, v).map(([a, b]) => at(a, b));
      for (let k = 0; k < 6; k++) {
        const p = ring[k], q = ring[(k + 1) % 6];
        this.cornerX[h * 6 + k] = (points[c] + points[p] + points[q]) / 3;
        this.cornerY[h * 6 + k] = (points[c + 1] + points[p + 1] + points[q + 1]) / 3;
      }
    }
    this.pitch = Math.hypot(this.x[1] - this.x[0], this.y[1] - this.y[0]);
    this.bounds = [Math.min(...this.x), Math.min(...this.y), Math.max(...this.x), Math.max(...this.y)];
  }

  around(u, v) {
    const high = (u + this.firstLine) % 2 === this.raised ? 1 : 0;
    return [[u, v + 1], [u + 1, v + high], [u + 1, v + high - 1], [u, v - 1], [u - 1, v + high - 1], [u - 1, v + high]];
  }

  layNeighbours() {
    this.next = new Int32Array(this.n * 6).fill(-1);
    for (let h = 0; h < this.n; h++) {
      this.around(Math.floor(h / this.length), h % this.length).forEach(([u, v], d) => {
        if (u >= 0 && u < this.lines && v >= 0 && v < this.length) this.next[h * 6 + d] = u * this.length + v;
      });
    }
  }

  directionTo(a, b) {
    for (let d = 0; d < 6; d++) if (this.next[a * 6 + d] === b) return d;
    return -1;
  }

  // Hexsides given as pairs of hexes, joined end to end so that a river is a few long lines, not many short strokes.
  chain(pairs) {
    const ends = new Map(), edges = [];
    const name = (x, y) => `${Math.round(x * 2e4)},${Math.round(y * 2e4)}`;
    for (let k = 0; k < pairs.length; k += 2) {
      const a = pairs[k], d = this.directionTo(a, pairs[k + 1]);
      if (d < 0) continue;
      const i = a * 6 + (d + 5) % 6, j = a * 6 + d;
      const edge = [[this.cornerX[i], this.cornerY[i]], [this.cornerX[j], this.cornerY[j]]];
      edges.push(edge);
      for (const p of edge) { const key = name(...p); ends.set(key, [...(ends.get(key) || []), edge]); }
    }
    const used = new Set(), lines = [];
    const follow = (line, push) => {
      for (;;) {
        const [x, y] = push ? line[line.length - 1] : line[0];
        const next = (ends.get(name(x, y)) || []).find(edge => !used.has(edge));
        if (!next) return;
        used.add(next);
        const far = name(...next[0]) === name(x, y) ? next[1] : next[0];
        if (push) line.push(far); else line.unshift(far);
      }
    };
    for (const edge of edges) {
      if (used.has(edge)) continue;
      used.add(edge);
      const line = [...edge];
      follow(line, true); follow(line, false);
      lines.push(line);
    }
    return lines;
  }

  nearest(x, y) {
    let best = -1, least = (this.pitch * 0.62) ** 2;
    for (let h = 0; h < this.n; h++) {
      const d = (this.x[h] - x) ** 2 + (this.y[h] - y) ** 2;
      if (d < least) { least = d; best = h; }
    }
    return best;
  }

  at(lat, lon) { return this.nearest(worldX(lon), worldY(lat)); }
  latLng(h) { return [latitude(this.y[h]), longitude(this.x[h])]; }
  terrainOf(h) { return TERRAIN[this.terrain[h]] || 'clear'; }

  // Arrow keys: up and down along the line of hexes, left and right to the next line, staying on the same row of the page.
  step(h, key) {
    const lifted = (Math.floor(h / this.length) + this.firstLine) % 2 === this.raised;
    const d = { ArrowUp: 0, ArrowDown: 3, ArrowRight: lifted ? 2 : 1, ArrowLeft: lifted ? 4 : 5 }[key];
    return this.next[h * 6 + d];
  }

  describe(h) {
    const names = (this.placesAt.get(h) || []).map(p => p.name);
    const parts = [this.labels[h], this.terrainOf(h)];
    if (this.features.has(h)) parts.push(this.features.get(h));
    if (names.length) parts.push([...new Set(names)].join(', '));
    return parts.join(' · ');
  }
}
