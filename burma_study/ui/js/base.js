// The ground: terrain, hexsides, routes, grid, names. Redrawn only when the view or the layers change.
import { palette } from './palette.js';

export function drawBase(ctx, board, view, show, dark, area) {
  const inks = palette(dark);
  const seen = visible(board, view, 1);
  if (show.terrain) fillTerrain(ctx, board, view, inks, seen, show.relief ? inks.tint : 1);
  if (show.shapes) drawShapes(ctx, board, view, inks);
  if (show.grid) strokeGrid(ctx, board, view, inks, seen);
  if (show.terrain && view.hex >= 40) glyphs(ctx, board, view, inks, seen);
  if (show.rivers) drawRivers(ctx, board, view, inks);
  if (show.routes) drawRoutes(ctx, board, view, inks);
  if (show.terrain) drawFeatures(ctx, board, view, inks, seen);
  if (area?.size) veil(ctx, board, view, inks, seen, area);
  if (show.labels && view.hex >= 62) hexLabels(ctx, board, view, inks, seen);
}

// Ground outside the scenario's area is veiled, so that what is in play stands out.
function veil(ctx, board, view, inks, seen, area) {
  ctx.fillStyle = inks.paper; ctx.globalAlpha = .55;
  for (const h of seen) if (!area.has(h)) { hexPath(ctx, board, view, h, 1.012); ctx.fill(); }
  ctx.globalAlpha = 1;
}

export function visible(board, view, pad = 1) {
  const out = [], m = view.hex * pad;
  for (let h = 0; h < board.n; h++) {
    const x = view.px(board.x[h]), y = view.py(board.y[h]);
    if (x > -m && y > -m && x < view.w + m && y < view.h + m && board.terrain[h] !== 'o') out.push(h);
  }
  return out;
}

export function hexPath(ctx, board, view, h, shrink = 1) {
  const cx = view.px(board.x[h]), cy = view.py(board.y[h]);
  ctx.beginPath();
  for (let k = 0; k < 6; k++) {
    const x = view.px(board.cornerX[h * 6 + k]), y = view.py(board.cornerY[h * 6 + k]);
    const [a, b] = [cx + (x - cx) * shrink, cy + (y - cy) * shrink];
    if (k) ctx.lineTo(a, b); else ctx.moveTo(a, b);
  }
  ctx.closePath();
}

function fillTerrain(ctx, board, view, inks, seen, tint) {
  ctx.globalAlpha = tint;
  for (const h of seen) {
    ctx.fillStyle = inks.terrain[board.terrainOf(h)];
    hexPath(ctx, board, view, h, 1.012);
    ctx.fill();
  }
  ctx.globalAlpha = 1;
}

// One path a hex: one big path of all outlines strokes ten times slower.
function strokeGrid(ctx, board, view, inks, seen) {
  if (view.hex < 6) return;
  ctx.strokeStyle = inks.grid;
  ctx.lineWidth = view.hex < 14 ? .5 : .9;
  for (const h of seen) { hexPath(ctx, board, view, h); ctx.stroke(); }
}

function drawShapes(ctx, board, view, inks) {
  const styles = { river: [inks.water, .9, .45], lake: [inks.water, 1, .5], border: [inks.border, 1.6, .8], coast: [inks.water, 1.2, .8] };
  for (const { kind, points } of board.shapes) {
    const [colour, width, alpha] = styles[kind] || styles.river;
    ctx.globalAlpha = alpha; ctx.strokeStyle = colour; ctx.fillStyle = colour; ctx.lineWidth = width;
    ctx.setLineDash(kind === 'border' ? [7, 3, 2, 3] : []);
    ctx.beginPath();
    for (let k = 0; k < points.length; k += 2) {
      if (k) ctx.lineTo(view.px(points[k]), view.py(points[k + 1]));
      else ctx.moveTo(view.px(points[k]), view.py(points[k + 1]));
    }
    if (kind === 'lake') ctx.fill(); else ctx.stroke();
  }
  ctx.setLineDash([]); ctx.globalAlpha = 1;
}

// A terrain sign in each hex, so that the class can be told without its colour.
const SIGNS = {
  jungle: (c, x, y, r) => { for (const [a, b] of [[-.5, -.25], [.5, -.25], [0, .4]]) { c.moveTo(x + a * r + r * .2, y + b * r); c.arc(x + a * r, y + b * r, r * .2, 0, 7); } },
  mountain: (c, x, y, r) => { c.moveTo(x - r * .7, y + r * .4); c.lineTo(x - r * .15, y - r * .5); c.lineTo(x + r * .2, y + r * .1); c.lineTo(x + r * .4, y - r * .15); c.lineTo(x + r * .8, y + r * .4); },
  rough: (c, x, y, r) => { for (const a of [-.5, .3]) { c.moveTo(x + (a - .3) * r, y + r * .25); c.quadraticCurveTo(x + a * r, y - r * .45, x + (a + .3) * r, y + r * .25); } },
  lake: (c, x, y, r) => { for (const b of [-.2, .25]) { c.moveTo(x - r * .6, y + b * r); c.quadraticCurveTo(x - r * .3, y + (b - .3) * r, x, y + b * r); c.quadraticCurveTo(x + r * .3, y + (b + .3) * r, x + r * .6, y + b * r); } } };

function glyphs(ctx, board, view, inks, seen) {
  ctx.strokeStyle = inks.ink; ctx.lineWidth = 1; ctx.globalAlpha = .28;
  const r = Math.min(view.hex * .13, 12);
  for (const h of seen) {
    const sign = SIGNS[board.terrainOf(h)];
    if (!sign) continue;
    ctx.beginPath();
    sign(ctx, view.px(board.x[h]) - view.hex * .3, view.py(board.y[h]) + view.hex * .03, r);
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
}

function smooth(ctx, points) {
  ctx.beginPath();
  ctx.moveTo(...points[0]);
  for (let k = 1; k < points.length - 1; k++) {
    const [x, y] = points[k], [a, b] = points[k + 1];
    ctx.quadraticCurveTo(x, y, (x + a) / 2, (y + b) / 2);
  }
  ctx.lineTo(...points[points.length - 1]);
}

function drawRivers(ctx, board, view, inks) {
  ctx.lineCap = ctx.lineJoin = 'round';
  const unit = Math.max(1, view.hex / 26);
  for (const { kind, lines } of board.sides) {
    const crossing = kind === 'crossing' || kind === 'bridge';
    if (crossing && view.hex < 22) continue;
    for (const line of lines) {
      const points = line.map(([x, y]) => [view.px(x), view.py(y)]);
      if (crossing) { drawCrossing(ctx, points, kind, unit, inks); continue; }
      smooth(ctx, points);
      ctx.strokeStyle = inks.halo; ctx.globalAlpha = .35; ctx.lineWidth = unit * (kind === 'major' ? 4.4 : 2.6); ctx.stroke();
      ctx.globalAlpha = .95; ctx.strokeStyle = inks.water; ctx.lineWidth = unit * (kind === 'major' ? 2.9 : 1.25); ctx.stroke();
    }
  }
  ctx.globalAlpha = 1;
}

function drawCrossing(ctx, points, kind, unit, inks) {
  const [[x1, y1], [x2, y2]] = [points[0], points[points.length - 1]];
  const [mx, my] = [(x1 + x2) / 2, (y1 + y2) / 2], length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [nx, ny] = [-(y2 - y1) / length, (x2 - x1) / length], [tx, ty] = [(x2 - x1) / length, (y2 - y1) / length];
  ctx.strokeStyle = inks.ink; ctx.globalAlpha = .85; ctx.lineWidth = Math.max(1, unit * .7);
  ctx.setLineDash(kind === 'bridge' ? [] : [2, 2]);
  for (const s of [-1, 1]) {
    ctx.beginPath();
    ctx.moveTo(mx + nx * 4 * unit + tx * s * 1.8 * unit, my + ny * 4 * unit + ty * s * 1.8 * unit);
    ctx.lineTo(mx - nx * 4 * unit + tx * s * 1.8 * unit, my - ny * 4 * unit + ty * s * 1.8 * unit);
    ctx.stroke();
  }
  ctx.setLineDash([]);
}

const ORDER = ['track', 'fair_weather', 'all_weather', 'rail'];

function drawRoutes(ctx, board, view, inks) {
  const unit = Math.min(2.2, Math.max(.7, view.hex / 30));
  for (const kind of ORDER) {
    for (const route of board.routes) {
      if (route.kind !== kind || route.path.length < 2) continue;
      const shift = kind === 'rail' ? view.hex * .09 : 0;
      const points = route.path.map(h => [view.px(board.x[h]) + shift, view.py(board.y[h]) - shift]);
      if (points.every(([x, y]) => x < -200 || y < -200 || x > view.w + 200 || y > view.h + 200)) continue;
      strokeRoute(ctx, kind, points, unit, inks, view);
    }
  }
  ctx.setLineDash([]); ctx.globalAlpha = 1;
}

export function strokeRoute(ctx, kind, points, unit, inks, view) {
  ctx.lineJoin = 'round'; ctx.lineCap = 'butt'; ctx.setLineDash([]);
  smooth(ctx, points);
  const line = (colour, width, dash = []) => { ctx.strokeStyle = colour; ctx.lineWidth = width; ctx.setLineDash(dash); ctx.stroke(); };
  if (kind === 'all_weather') {
    line(inks.halo, 5.2 * unit); line(inks.road, 3.6 * unit);
    if (view.hex >= 18) line(inks.roadFill, 1.7 * unit);
  } else if (kind === 'fair_weather') {
    line(inks.halo, 3.4 * unit); line(inks.fair, 1.9 * unit, [7 * unit, 2 * unit]);
  } else if (kind === 'track') {
    line(inks.halo, 2.6 * unit); line(inks.track, 1.3 * unit, [3.4 * unit, 2.6 * unit]);
  } else {
    line(inks.halo, 4 * unit); line(inks.rail, 1.5 * unit); line(inks.rail, 5 * unit, [1.2 * unit, 6 * unit]);
  }
  ctx.setLineDash([]);
}

function drawFeatures(ctx, board, view, inks, seen) {
  if (view.hex < 12) return;
  for (const h of seen) {
    const feature = board.features.get(h);
    if (!feature) continue;
    const x = view.px(board.x[h]), y = view.py(board.y[h]), r = Math.max(1.6, view.hex * (feature === 'city' ? .1 : .055));
    ctx.fillStyle = inks.ink; ctx.strokeStyle = inks.halo; ctx.lineWidth = 1;
    const blocks = feature === 'city' ? [[-1, -1], [.15, -1], [-1, .15], [.15, .15]] : [[-.5, -.5]];
    for (const [a, b] of blocks) { ctx.fillRect(x + a * r, y + b * r, r * .85, r * .85); ctx.strokeRect(x + a * r, y + b * r, r * .85, r * .85); }
  }
}

function hexLabels(ctx, board, view, inks, seen) {
  ctx.font = `${Math.min(11, view.hex * .13)}px system-ui, sans-serif`;
  ctx.textAlign = 'center'; ctx.fillStyle = inks.ink; ctx.globalAlpha = .6;
  for (const h of seen) ctx.fillText(board.labels[h], view.px(board.x[h]), view.py(board.y[h]) - view.hex * .37);
  ctx.globalAlpha = 1;
}

// Names: important first, no two on one another; small places wait for a nearer view.
const FONT = { city: [600, 13], port: [400, 11], airfield: [400, 11], village: [400, 11], region: [400, 13], river: [400, 11], peak: [400, 10] };

export const overlap = (a, b) => !(a[2] < b[0] || a[0] > b[2] || a[3] < b[1] || a[1] > b[3]);

// Inside the part of the canvas that shows; the margin appears only while dragging.
export const inView = (view, [x0, y0, x1, y1]) => x0 > view.margin.x + 2 && y0 > view.margin.y && x1 < view.w - view.margin.x - 2 && y1 < view.h - view.margin.y;

// Returns the boxes it used; `taken` are boxes that names must leave free (counters).
export function drawNames(ctx, board, view, show, dark, taken = []) {
  const inks = palette(dark), least = view.hex < 10 ? 3 : view.hex < 19 ? 2 : view.hex < 30 ? 1 : 0;
  const boxes = [], near = view.hex >= 42, shown = new Map();
  const free = box => inView(view, box) && ![...boxes, ...taken].some(b => overlap(box, b));
  for (const place of board.ranked) {
    if (place.rank < least) continue;
    const x = view.px(board.x[place.hex]), y = view.py(board.y[place.hex]);
    if (x < -60 || y < -20 || x > view.w + 60 || y > view.h + 20) continue;
    if (show.truePlaces && place.apart && view.hex >= 18) trueSpot(ctx, view, inks, place, x, y);
    const twin = shown.get(place.name);
    if (twin && Math.hypot(twin[0] - x, twin[1] - y) < view.hex * 2.2) continue;
    const [weight, size] = FONT[place.kind] || FONT.village;
    ctx.font = `${place.kind === 'region' ? 'italic ' : ''}${weight} ${size}px system-ui, sans-serif`;
    const w = ctx.measureText(place.name).width, r = Math.max(5, view.hex * .2), edge = view.hex * .455;
    const spots = near ? [[x - w / 2, y + edge], [x - w / 2, y - view.hex * .2], [x + view.hex * .36, y + 4]]
      : [[x + r, y + 4], [x - r - w, y + 4], [x - w / 2, y - r - 1], [x - w / 2, y + r + 10], [x + view.hex * .45, y + 4], [x - view.hex * .45 - w, y + 4], [x - w / 2, y + view.hex * .5 + 8], [x - w / 2, y - view.hex * .5], [x + 14, y - 9], [x + 14, y + 15], [x - 14 - w, y - 9], [x - 14 - w, y + 15]];
    const boxAt = ([ax, ay]) => [ax - 2, ay - size + 1, ax + w + 2, ay + 3];
    const spot = spots.find(s => free(boxAt(s))) || (place.rank > 2 && spots.find(s => !boxes.some(b => overlap(b, boxAt(s)))));
    if (spot) {
      const [ax, ay] = spot, box = boxAt(spot);
      boxes.push(box); shown.set(place.name, [x, y]);
      ctx.textAlign = 'left'; ctx.lineJoin = 'round'; ctx.lineWidth = 3.2; ctx.strokeStyle = inks.halo; ctx.strokeText(place.name, ax, ay);
      ctx.fillStyle = inks.ink; ctx.fillText(place.name, ax, ay);
      if (!near && !board.features.has(place.hex)) { ctx.beginPath(); ctx.arc(x, y, 1.8, 0, 7); ctx.fill(); }
    }
  }
  return boxes;
}

function trueSpot(ctx, view, inks, place, x, y) {
  const [a, b] = [view.px(place.x), view.py(place.y)];
  ctx.strokeStyle = inks.ink; ctx.lineWidth = 1.2; ctx.globalAlpha = .75; ctx.setLineDash([2, 3]);
  ctx.beginPath(); ctx.moveTo(x, y); ctx.lineTo(a, b); ctx.stroke();
  ctx.setLineDash([]);
  ctx.beginPath(); ctx.arc(a, b, 3.5, 0, 7); ctx.fillStyle = inks.halo; ctx.fill(); ctx.stroke();
  ctx.globalAlpha = 1;
}
