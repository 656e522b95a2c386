// What lies over the ground and under the counters: zones, reach, supply lines; and above them the trace and the selection.
import { hexPath, overlap, inView } from './base.js';
import { palette, side, leg } from './palette.js';
import { bytes, shorts } from './util.js';

export function readLive(raw) {
  const overlays = (raw.overlays || []).map(o => ({ ...o, hexes: shorts(o.hexes), values: o.values ? bytes(o.values) : null }));
  const net = (raw.net || []).map(([kind, path, about]) => ({ kind, about, path: [...shorts(path)] }));
  const traces = (raw.traces || []).map(t => ({ ...t, legs: t.legs.map(l => ({ ...l, hexes: typeof l.hexes === 'string' ? [...shorts(l.hexes)] : l.hexes })) }));
  const flow = shorts(raw.flow), through = new Map();
  for (let k = 0; k < flow.length; k += 3) for (const h of [flow[k], flow[k + 1]]) through.set(h, Math.max(flow[k + 2], through.get(h) || 0));
  return { ...raw, overlays, net, traces, flow, through };
}

export function drawOverlays(ctx, board, view, live, dark) {
  for (const o of live.overlays) {
    if (o.key === 'stretch') stretch(ctx, board, view, o, dark);
    else if (o.key.startsWith('zoc')) zone(ctx, board, view, o, side(o.key.split(':')[1])[dark ? 'light' : 'rim']);
    else shade(ctx, board, view, o, palette(dark));
  }
}

// A zone of control is hatched, leaning by side, so that the two sides can be told apart without colour.
function zone(ctx, board, view, o, colour) {
  const lean = o.key.endsWith('japanese') ? 1 : -1, gap = Math.max(4, view.hex * .13);
  ctx.save(); ctx.strokeStyle = colour; ctx.globalAlpha = .55; ctx.lineWidth = 1.1; ctx.setLineDash([]);
  for (const h of o.hexes) {
    const x = view.px(board.x[h]), y = view.py(board.y[h]), r = view.hex * .62;
    if (x < -r || y < -r || x > view.w + r || y > view.h + r) continue;
    ctx.save(); hexPath(ctx, board, view, h, .97); ctx.clip(); ctx.beginPath();
    for (let k = -2 * r; k <= 2 * r; k += gap) { ctx.moveTo(x + k - lean * r, y - r); ctx.lineTo(x + k + lean * r, y + r); }
    ctx.stroke(); ctx.restore();
  }
  ctx.restore();
}

// A choke point: each of its hexes ringed.
function stretch(ctx, board, view, o, dark) {
  ctx.save(); ctx.setLineDash([]);
  for (const h of o.hexes) {
    hexPath(ctx, board, view, h, .94);
    ctx.lineWidth = Math.max(3, view.hex * .09); ctx.strokeStyle = dark ? 'rgba(0,0,0,.8)' : 'rgba(255,255,255,.9)'; ctx.stroke();
    ctx.lineWidth = Math.max(1.8, view.hex * .055); ctx.strokeStyle = dark ? '#ffb347' : '#b34700'; ctx.stroke();
  }
  ctx.restore();
}

function shade(ctx, board, view, o, inks) {
  const most = o.values ? Math.max(1, ...o.values) : 1;
  ctx.save();
  o.hexes.forEach((h, k) => {
    const share = o.values ? o.values[k] / most : 1;
    hexPath(ctx, board, view, h, .96);
    ctx.globalAlpha = .20 + .34 * share; ctx.fillStyle = inks.reach; ctx.fill();
    if (o.values && view.hex >= 46) {
      ctx.globalAlpha = .95; ctx.fillStyle = inks.ink; ctx.font = '600 10px system-ui, sans-serif'; ctx.textAlign = 'center';
      ctx.fillText(o.scale ? (o.values[k] / o.scale).toFixed(o.values[k] % o.scale ? 1 : 0) : o.values[k], view.px(board.x[h]), view.py(board.y[h]) - view.hex * .34);
    }
  });
  ctx.restore();
}

const route = (board, view, path) => path.map(h => [view.px(board.x[h]), view.py(board.y[h])]);

function stroke(ctx, points, colour, width, dash) {
  ctx.beginPath();
  points.forEach(([x, y], k) => k ? ctx.lineTo(x, y) : ctx.moveTo(x, y));
  ctx.strokeStyle = colour; ctx.lineWidth = width; ctx.setLineDash(dash); ctx.stroke(); ctx.setLineDash([]);
}

export function drawNet(ctx, board, view, live, dark) {
  ctx.save(); ctx.lineJoin = ctx.lineCap = 'round';
  const colour = dark ? '#8fd19e' : '#0f6b34', halo = dark ? 'rgba(10,12,14,.7)' : 'rgba(255,255,255,.75)';
  drawFlow(ctx, board, view, live, colour);
  for (const { kind, path } of live.net) {
    const points = route(board, view, path), s = leg(kind), k = view.hex < 19 ? .6 : .9;
    stroke(ctx, points, halo, (s.width + 2) * k, []);
    stroke(ctx, points, colour, s.width * k, s.dash.map(d => d * k));
  }
  ctx.restore();
}

// A band under the lines, as wide as the units that each hexside feeds are many.
function drawFlow(ctx, board, view, live, colour) {
  const { flow } = live, most = Math.max(1, ...live.through.values()), wide = Math.min(16, Math.max(7, view.hex * .3));
  ctx.globalAlpha = .34;
  for (let k = 0; k < flow.length; k += 3) stroke(ctx, route(board, view, [flow[k], flow[k + 1]]), colour, 2.5 + wide * Math.sqrt(flow[k + 2] / most), []);
  ctx.globalAlpha = 1;
}

export function drawTraces(ctx, board, view, live, dark) {
  ctx.save(); ctx.lineJoin = 'round'; ctx.lineCap = 'round';
  for (const trace of live.traces) {
    const bad = trace.legs.some(l => l.kind === 'miss'), colour = bad ? (dark ? '#ff8a80' : '#b71c1c') : dark ? '#ffd54a' : '#5b1fa8';
    for (const l of trace.legs) {
      if (l.hexes.length < 1) continue;
      const points = route(board, view, l.hexes), s = leg(l.kind);
      stroke(ctx, points, dark ? 'rgba(0,0,0,.8)' : 'rgba(255,255,255,.9)', s.width + 3.5, []);
      stroke(ctx, points, colour, s.width + .5, s.dash);
      if (l.starts) end(ctx, points[0], colour, l.starts);
      if (l.ends !== 'unit' && l.kind !== 'missing') end(ctx, points[points.length - 1], colour, l.ends || 'point');
    }
  }
  ctx.restore();
}

function end(ctx, [x, y], colour, kind) {
  ctx.setLineDash([]); ctx.lineWidth = 2; ctx.strokeStyle = colour; ctx.fillStyle = '#fff'; ctx.beginPath();
  if (kind === 'source') { for (let k = 0; k < 10; k++) { const a = -Math.PI / 2 + k * Math.PI / 5, r = k % 2 ? 4 : 9; ctx[k ? 'lineTo' : 'moveTo'](x + r * Math.cos(a), y + r * Math.sin(a)); } ctx.closePath(); ctx.fillStyle = colour; }
  else if (kind === 'blocked') { const cross = () => { ctx.beginPath(); ctx.moveTo(x - 8, y - 8); ctx.lineTo(x + 8, y + 8); ctx.moveTo(x + 8, y - 8); ctx.lineTo(x - 8, y + 8); ctx.stroke(); }; ctx.lineWidth = 8; ctx.strokeStyle = '#fff'; cross(); ctx.lineWidth = 4.5; ctx.strokeStyle = colour; cross(); return; }
  else ctx.arc(x, y, 5, 0, 7);
  ctx.fill(); ctx.stroke();
}

export function drawSelection(ctx, board, view, h, dark, extra = []) {
  const inks = palette(dark);
  ctx.setLineDash([]);
  for (const t of extra) {
    hexPath(ctx, board, view, t, .92);
    ctx.lineWidth = 3; ctx.strokeStyle = '#c01818'; ctx.setLineDash([6, 4]); ctx.stroke(); ctx.setLineDash([]);
  }
  if (h < 0) return;
  hexPath(ctx, board, view, h, 1);
  ctx.lineWidth = 5; ctx.strokeStyle = inks.selectHalo; ctx.stroke();
  ctx.lineWidth = 2; ctx.strokeStyle = inks.select; ctx.stroke();
}

// Remarks of a step: a label beside its hex that covers no counter, no name and no control, and never leaves the view.
const RINGS = [26, 40, 58, 80, 106, 136, 170, 210], TURNS = [-1, -3, -5, -7, 0, -4, 1, 3, -2, -6, 2, -8].map(k => k * Math.PI / 8 + .2);

function spotBox(view, x, y, w, h, blocked) {
  for (const r of RINGS) {
    for (const a of TURNS) {
      const cx = x + Math.cos(a) * (r + w / 2), cy = y + Math.sin(a) * (r + h / 2), box = [cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2];
      if (inView(view, box) && !blocked.some(b => overlap(b, box))) return box;
    }
  }
  return null;
}

// `counters` are boxes that no label may cover, `names` boxes that it covers only where there is no other room.
export function drawSpots(ctx, board, view, spots, dark, counters, names) {
  const hard = [...counters], drawn = [];
  ctx.font = 'italic 600 12px system-ui, sans-serif'; ctx.textAlign = 'left'; ctx.setLineDash([]);
  const todo = spots.map(([h, text]) => [view.px(board.x[h]), view.py(board.y[h]), text]).filter(([x, y]) => inView(view, [x, y, x, y]));
  hard.push(...todo.map(([x, y]) => [x - 7, y - 7, x + 7, y + 7]));
  for (const [x, y, text] of todo) {
    const w = ctx.measureText(text).width + 12, box = spotBox(view, x, y, w, 19, [...hard, ...names]) || spotBox(view, x, y, w, 19, hard);
    if (!box) continue;
    hard.push(box); drawn.push([x, y, text, box, counters.find(b => overlap(b, [x, y, x, y]))]);
  }
  ctx.strokeStyle = dark ? '#f3d27a' : '#5a3d00'; ctx.lineWidth = 1.3;
  const clamp = (v, a, b) => Math.min(Math.max(v, a), b), paper = dark ? 'rgba(40,34,20,.94)' : 'rgba(255,246,214,.95)';
  for (const [x, y, , [x0, y0, x1, y1], own] of drawn) {     // the line ends at the edge of the counter
    const [cx, cy] = [(x0 + x1) / 2, (y0 + y1) / 2], tx = own ? clamp(cx, own[0], own[2]) : x, ty = own ? clamp(cy, own[1], own[3]) : y;
    ctx.beginPath(); ctx.moveTo(clamp(tx, x0, x1), clamp(ty, y0, y1)); ctx.lineTo(tx, ty); ctx.stroke();
    ctx.fillStyle = paper; ctx.beginPath(); ctx.arc(tx, ty, 2.6, 0, 7); ctx.fill(); ctx.stroke();
  }
  for (const [, , text, [bx, by]] of drawn) {
    ctx.fillStyle = paper; ctx.beginPath(); ctx.roundRect(bx, by, ctx.measureText(text).width + 12, 19, 5); ctx.fill(); ctx.stroke();
    ctx.fillStyle = dark ? '#f7e7bd' : '#3d2900'; ctx.fillText(text, bx + 6, by + 14);
  }
  return drawn.map(([, , text, box]) => [text, box]);
}
