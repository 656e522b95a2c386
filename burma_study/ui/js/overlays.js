// What lies over the ground and under the counters: zones, reach, supply lines; and above them the trace and the selection.
import { hexPath, overlap, inView } from './base.js';
import { palette, side, leg } from './palette.js';
import { bytes, shorts } from './util.js';

export function readLive(raw) {
  const overlays = (raw.overlays || []).map(o => ({ ...o, hexes: shorts(o.hexes), values: o.values ? bytes(o.values) : null }));
  const net = (raw.net || []).map(([kind, path, about]) => ({ kind, about, path: [...shorts(path)] }));
  const traces = (raw.traces || []).map(t => ({ ...t, legs: t.legs.map(l => ({ ...l, hexes: typeof l.hexes === 'string' ? [...shorts(l.hexes)] : l.hexes })) }));
  return { ...raw, overlays, net, traces };
}

export function drawOverlays(ctx, board, view, live, dark) {
  for (const o of live.overlays) {
    if (o.key.startsWith('zoc')) zone(ctx, board, view, o, side(o.key.split(':')[1])[dark ? 'light' : 'rim']);
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
  for (const { kind, path } of live.net) {
    const points = route(board, view, path), s = leg(kind), k = view.hex < 19 ? .6 : .9;
    stroke(ctx, points, halo, (s.width + 2) * k, []);
    stroke(ctx, points, colour, s.width * k, s.dash.map(d => d * k));
  }
  ctx.restore();
}

export function drawTraces(ctx, board, view, live, dark) {
  ctx.save(); ctx.lineJoin = 'round'; ctx.lineCap = 'round';
  for (const trace of live.traces) {
    const bad = trace.status === 'out', colour = bad ? (dark ? '#ff8a80' : '#b71c1c') : dark ? '#ffd54a' : '#5b1fa8';
    for (const l of trace.legs) {
      if (l.hexes.length < 1) continue;
      const points = route(board, view, l.hexes), s = leg(l.kind);
      stroke(ctx, points, dark ? 'rgba(0,0,0,.8)' : 'rgba(255,255,255,.9)', s.width + 3.5, []);
      stroke(ctx, points, colour, s.width + .5, s.dash);
      if (l.starts) end(ctx, points[0], colour, l.starts);
      if (l.ends !== 'unit') end(ctx, points[points.length - 1], colour, l.ends || 'point');
    }
  }
  ctx.restore();
}

function end(ctx, [x, y], colour, kind) {
  ctx.setLineDash([]); ctx.lineWidth = 2; ctx.strokeStyle = colour; ctx.fillStyle = '#fff'; ctx.beginPath();
  if (kind === 'source') { for (let k = 0; k < 10; k++) { const a = -Math.PI / 2 + k * Math.PI / 5, r = k % 2 ? 4 : 9; ctx[k ? 'lineTo' : 'moveTo'](x + r * Math.cos(a), y + r * Math.sin(a)); } ctx.closePath(); ctx.fillStyle = colour; }
  else if (kind === 'blocked') { ctx.moveTo(x - 6, y - 6); ctx.lineTo(x + 6, y + 6); ctx.moveTo(x + 6, y - 6); ctx.lineTo(x - 6, y + 6); ctx.lineWidth = 3; ctx.stroke(); return; }
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

// Remarks of a step: a flag on a staff at its hex, placed where it hides no counter.
export function drawSpots(ctx, board, view, spots, dark, taken) {
  const boxes = [...taken];
  ctx.font = 'italic 600 12px system-ui, sans-serif'; ctx.textAlign = 'left'; ctx.setLineDash([]);
  for (const [h, text] of spots) {
    const x = view.px(board.x[h]), y = view.py(board.y[h]), w = ctx.measureText(text).width + 12;
    const places = [[26, -40], [-26 - w, -40], [26, 24], [-26 - w, 24], [26, -72], [-26 - w, -72], [40, 54], [-40 - w, 54], [60, -10], [-60 - w, -10]].map(([dx, dy]) => [x + dx, y + dy, x + dx + w, y + dy + 19]);
    const box = places.find(p => inView(view, p) && !boxes.some(b => overlap(b, p))) || places[0];
    boxes.push(box);
    const [bx, by] = box, edge = bx > x ? bx : bx + w;
    ctx.strokeStyle = dark ? '#f3d27a' : '#5a3d00'; ctx.fillStyle = dark ? 'rgba(40,34,20,.94)' : 'rgba(255,246,214,.95)'; ctx.lineWidth = 1.3;
    ctx.beginPath(); ctx.moveTo(x, y); ctx.lineTo(edge, by + 9.5); ctx.stroke();
    ctx.beginPath(); ctx.arc(x, y, 3, 0, 7); ctx.fill(); ctx.stroke();
    ctx.beginPath(); ctx.roundRect(bx, by, w, 19, 5); ctx.fill(); ctx.stroke();
    ctx.fillStyle = dark ? '#f7e7bd' : '#3d2900'; ctx.fillText(text, bx + 6, by + 14);
  }
}
