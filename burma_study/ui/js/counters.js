// Counters by level of detail: formation marks far out, NATO boxes nearer, full counters near.
import { nation, side, SUPPLY } from './palette.js';
import { drawSymbol, sizeMark } from './symbols.js';
import { overlap, inView } from './base.js';

export const detail = hex => hex < 19 ? 'far' : hex < 42 ? 'mid' : 'near';

function round(ctx, x, y, w, h, r) {
  ctx.beginPath(); ctx.roundRect(x, y, w, h, r);
}


// Frame by side: Japanese counters have square corners and a dark red rim, Allied ones round corners and a blue rim.
function plate(ctx, u, x, y, w, h, thick) {
  const [fill] = nation(u.nationality), rim = side(u.side).rim;
  round(ctx, x, y, w, h, u.side === 'japanese' ? Math.min(1.5, w * .04) : w * .18);
  ctx.fillStyle = fill; ctx.fill();
  ctx.lineWidth = thick; ctx.strokeStyle = rim; ctx.setLineDash([]); ctx.stroke();
}

export function status(ctx, key, x, y, r) {
  const s = SUPPLY[key];
  if (!s) return;
  ctx.setLineDash([]); ctx.lineWidth = Math.max(1.2, r * .34); ctx.fillStyle = '#fff';
  ctx.beginPath(); ctx.arc(x, y, r, 0, 7); ctx.fill(); ctx.strokeStyle = s.colour; ctx.stroke();
  ctx.fillStyle = s.colour;
  if (s.shape === 'disc') { ctx.beginPath(); ctx.arc(x, y, r * .62, 0, 7); ctx.fill(); }
  if (s.shape === 'half') { ctx.beginPath(); ctx.arc(x, y, r, Math.PI / 2, Math.PI * 1.5); ctx.fill(); }
  if (s.shape === 'ring') { ctx.beginPath(); ctx.arc(x, y, r * .35, 0, 7); ctx.stroke(); }
  if (s.shape === 'cross') {
    const d = r * .5;
    ctx.beginPath(); ctx.moveTo(x - d, y - d); ctx.lineTo(x + d, y + d); ctx.moveTo(x + d, y - d); ctx.lineTo(x - d, y + d); ctx.stroke();
  }
  if (s.shape === 'dash') { ctx.beginPath(); ctx.moveTo(x - r * .5, y); ctx.lineTo(x + r * .5, y); ctx.stroke(); }
}

const MODES = { move: 'M', reserve: 'R', strat: 'S', exploit: 'E' };

export function drawCounter(ctx, u, x, y, size, showSupply) {
  const [fill, ink] = nation(u.nationality), s = size;
  plate(ctx, u, x, y, s, s, Math.max(1.4, s * .045));
  const w = s * .5, h = s * .32, left = x + (s - w) / 2, top = y + s * .24;
  const paper = fill;
  drawSymbol(ctx, u.symbol, left, top, w, h, ink, paper);
  ctx.fillStyle = ink; ctx.textAlign = 'center';
  ctx.font = `700 ${Math.max(6, s * .15)}px system-ui, sans-serif`;
  ctx.fillText(sizeMark(u.size), x + s / 2, y + s * .2);
  const moving = u.mode !== 'combat' && u.mode !== 'reserve';
  const line = u.lines[moving ? 1 : 0] || u.lines[0];
  ctx.font = `700 ${Math.max(7, Math.min(s * .25, s * 1.5 / Math.max(4, line.length)))}px system-ui, sans-serif`;
  ctx.fillText(line, x + s / 2, y + s * .87);
  if (s >= 40) names(ctx, u, x, y, s, ink);
  if (MODES[u.mode]) badge(ctx, MODES[u.mode], x + s * .9, y + s * .12, s * .13, '#fff', '#222');
  if (u.dg) badge(ctx, 'DG', x + s * .15, y + s * .64, s * .12, '#f2c200', '#000');
  if (u.oos) badge(ctx, 'OOS', x + s * .17, y + s * .38, s * .11, '#c01818', '#fff');
  if (u.stock !== 'full') badge(ctx, u.stock === 'low' ? 'L' : 'X', x + s * .86, y + s * .5, s * .13, '#fff', '#a33');
  if (showSupply && u.supply) status(ctx, u.supply, x + s * .1, y + s * .1, Math.max(4, s * .1));
}

function names(ctx, u, x, y, s, ink) {
  ctx.font = `${Math.max(6, s * .115)}px system-ui, sans-serif`;
  ctx.save(); ctx.translate(x + s * .17, y + s * .42); ctx.rotate(-Math.PI / 2); ctx.textAlign = 'center'; ctx.fillText(u.formation.slice(0, 11), 0, 0, s * .6); ctx.restore();
  ctx.save(); ctx.translate(x + s * .86, y + s * .42); ctx.rotate(Math.PI / 2); ctx.textAlign = 'center'; ctx.fillText(u.label, 0, 0, s * .56); ctx.restore();
  ctx.textAlign = 'center';
}

function badge(ctx, text, x, y, r, fill, ink) {
  const w = Math.max(r * 2, text.length * r * 1.3);
  round(ctx, x - w / 2, y - r, w, r * 2, r * .6);
  ctx.fillStyle = fill; ctx.fill(); ctx.lineWidth = .8; ctx.strokeStyle = '#222'; ctx.stroke();
  ctx.fillStyle = ink; ctx.textAlign = 'center'; ctx.textBaseline = 'middle';
  ctx.font = `700 ${r * 1.5}px system-ui, sans-serif`; ctx.fillText(text, x, y + r * .08);
  ctx.textBaseline = 'alphabetic';
}

function drawBox(ctx, u, x, y, w, h, showSupply) {
  const [, ink] = nation(u.nationality);
  plate(ctx, u, x, y, w, h, 1.4);
  drawSymbol(ctx, u.symbol, x + w * .16, y + h * .3, w * .68, h * .54, ink, null);
  ctx.fillStyle = ink; ctx.textAlign = 'center'; ctx.font = `700 ${Math.max(5, h * .26)}px system-ui, sans-serif`;
  ctx.fillText(sizeMark(u.size), x + w / 2, y + h * .24);
  if (showSupply && u.supply) status(ctx, u.supply, x, y, 3.8);
}

function count(ctx, n, x, y, r) {
  ctx.beginPath(); ctx.arc(x, y, r, 0, 7); ctx.fillStyle = '#fffbe9'; ctx.fill(); ctx.lineWidth = 1; ctx.strokeStyle = '#222'; ctx.stroke();
  ctx.fillStyle = '#111'; ctx.textAlign = 'center'; ctx.textBaseline = 'middle'; ctx.font = `700 ${r * 1.35}px system-ui, sans-serif`;
  ctx.fillText(n, x, y + .5); ctx.textBaseline = 'alphabetic';
}

// Where a stack stands in its hex: the whole hex, or its own half when the other side is there too.
function spots(board, view, scene) {
  const out = [];
  for (const [h, stack] of scene.stacks) {
    const x = view.px(board.x[h]), y = view.py(board.y[h]);
    if (x < -view.hex || y < -view.hex || x > view.w + view.hex || y > view.h + view.hex) continue;
    const sides = [...new Set(stack.map(u => u.side))].sort().reverse();
    sides.forEach((s, k) => out.push({ h, stack: stack.filter(u => u.side === s), x: x + (sides.length > 1 ? (k ? 1 : -1) * view.hex * .24 : 0), y, half: sides.length > 1 }));
  }
  return out.sort((a, b) => a.y - b.y);
}

// What the counters will cover, so that names can be put beside them.
export function covered(board, view, scene) {
  if (detail(view.hex) === 'far') return formations(board, view, scene).map(g => { const r = radius(g); return [g.x - r * 1.1, g.y - r * .8, g.x + r * 1.1, g.y + r * .8]; });
  const k = detail(view.hex) === 'mid' ? [.37, .3] : [.33, .33];
  return spots(board, view, scene).map(({ x, y, half }) => { const [w, h] = k.map(f => f * view.hex * (half ? .72 : 1)); return [x - w, y - h, x + w, y + h]; });
}

// The drawn box under a point of the canvas: its units, name and hexes; null where none is. The one drawn last lies on top.
export function boxUnder(board, view, scene, x, y) {
  const inside = ([x0, y0, x1, y1]) => x >= x0 && x <= x1 && y >= y0 && y <= y1;
  const drawn = detail(view.hex) === 'far' ? formations(board, view, scene) : spots(board, view, scene);
  const boxes = covered(board, view, scene), order = drawn.map((_, k) => k);
  if (detail(view.hex) !== 'far') order.reverse();
  const found = order.find(k => inside(boxes[k]));
  if (found === undefined) return null;
  const { units, stack, name } = drawn[found], all = units || stack;
  return { units: all, name: name || '', hexes: [...new Set(all.map(u => u.hex))] };
}

// Far out, the corner of the box that stands for the units of each hex.
export function corners(board, view, scene) {
  const out = new Map();
  if (detail(view.hex) !== 'far') return out;
  for (const g of formations(board, view, scene)) { const r = radius(g); for (const u of g.units) out.set(u.hex, [g.x + r * 1.1, g.y - r * .8]); }
  return out;
}

// Draws them and gives the boxes of the names that it wrote.
export function drawCounters(ctx, board, view, scene, look) {
  const level = detail(view.hex);
  if (level === 'far') return drawFormations(ctx, board, view, scene, look);
  for (const { stack, x, y, half } of spots(board, view, scene)) {
    const top = stack.find(u => u.id === look.unit) || stack[0];
    if (level === 'mid') midStack(ctx, top, stack, x, y, view, half, look);
    else nearStack(ctx, top, stack, x, y, view, half, look);
    if (look.showSupply) worst(ctx, stack, look, x, y, view, level);
  }
  for (const h of scene.contested) contest(ctx, view.px(board.x[h]), view.py(board.y[h]), Math.max(5, view.hex * .11));
  return [];
}

// The mark on a stack is that of its worst unit, so that trouble below the top counter is seen.
const BAD = ['out', 'eats'];
function worst(ctx, stack, look, x, y, view, level) {
  if (stack[0].side !== look.supplySide) return;
  const key = BAD.find(k => stack.some(u => u.supply === k));
  if (key && stack.length > 1) status(ctx, key, x - view.hex * (level === 'mid' ? .35 : .3), y + view.hex * (level === 'mid' ? .27 : .3), Math.max(4, view.hex * .07));
}

function midStack(ctx, top, stack, x, y, view, half, look) {
  const w = view.hex * (half ? .5 : .7), h = w * .78;
  for (let k = Math.min(stack.length, 3) - 1; k > 0; k--) plate(ctx, stack[k], x - w / 2 + k * 2, y - h / 2 - k * 2, w, h, 1);
  drawBox(ctx, top, x - w / 2, y - h / 2, w, h, look.showSupply && top.side === look.supplySide);
  if (top.id === look.unit) ring(ctx, x - w / 2, y - h / 2, w, h);
  if (stack.length > 1) count(ctx, stack.length, x + w / 2, y - h / 2, Math.max(5, view.hex * .15));
}

function nearStack(ctx, top, stack, x, y, view, half, look) {
  const s = view.hex * (half ? .44 : .6), step = Math.max(2, s * .055);
  const rest = stack.filter(u => u !== top);
  for (let k = Math.min(rest.length, 3); k > 0; k--) plate(ctx, rest[k - 1], x - s / 2 + k * step, y - s / 2 - k * step, s, s, 1);
  drawCounter(ctx, top, x - s / 2, y - s / 2, s, look.showSupply && top.side === look.supplySide);
  if (top.id === look.unit) ring(ctx, x - s / 2, y - s / 2, s, s);
  if (stack.length > 1) count(ctx, stack.length, x + s / 2 + 2, y - s / 2 - 2, Math.max(6, s * .14));
}

function ring(ctx, x, y, w, h) {
  ctx.setLineDash([]); ctx.lineWidth = 4; ctx.strokeStyle = '#ffe14a'; ctx.strokeRect(x - 3, y - 3, w + 6, h + 6);
  ctx.lineWidth = 1.5; ctx.strokeStyle = '#111'; ctx.strokeRect(x - 5, y - 5, w + 10, h + 10);
}

function contest(ctx, x, y, r) {
  ctx.beginPath(); ctx.arc(x, y, r, 0, 7); ctx.fillStyle = '#fff'; ctx.fill(); ctx.lineWidth = 1.4; ctx.strokeStyle = '#a00'; ctx.stroke();
  ctx.beginPath(); const d = r * .5;
  ctx.moveTo(x - d, y + d); ctx.lineTo(x + d, y - d); ctx.moveTo(x - d, y - d); ctx.lineTo(x + d, y + d); ctx.stroke();
}

// Far out: units of one formation that stand together are one mark with the formation's name and number of units.
export function formations(board, view, scene) {
  const out = [], reach = Math.max(22, view.hex * 2.4);
  for (const u of [...scene.units].sort((a, b) => a.hex - b.hex || (a.id < b.id ? -1 : 1))) {   // the same boxes for the same position
    const x = view.px(board.x[u.hex]), y = view.py(board.y[u.hex]), key = u.formation || u.nationality;
    const near = out.find(g => g.key === key && g.side === u.side && Math.hypot(g.x - x, g.y - y) < reach);
    if (near) {
      near.units.push(u);
      near.x += (x - near.x) / near.units.length; near.y += (y - near.y) / near.units.length;
    } else out.push({ key, name: u.formation, side: u.side, x, y, units: [u] });
  }
  return out.sort((a, b) => b.units.length - a.units.length);
}

function drawFormations(ctx, board, view, scene, look) {
  const placed = [...look.names], shown = formations(board, view, scene), named = new Set();
  const boxes = new Map(shown.map(g => { const r = radius(g); return [g, [g.x - r * 1.1, g.y - r * .8, g.x + r * 1.1, g.y + r * .8]]; }));
  for (const g of [...shown].reverse()) blob(ctx, g, look);
  ctx.font = '600 10.5px system-ui, sans-serif';
  for (const g of shown) {
    if (!g.name || (named.has(g.key) && g.units.length < 3)) continue;   // a formation is named at its largest part
    const w = ctx.measureText(g.name).width, r = radius(g) * 1.1;
    for (const [x, y] of [[g.x + r + 4, g.y + 4], [g.x - r - 4 - w, g.y + 4], [g.x - w / 2, g.y - r - 2], [g.x - w / 2, g.y + r + 9]]) {
      const box = [x, y - 9, x + w, y + 2];
      if (!inView(view, box) || placed.some(b => overlap(box, b)) || shown.some(o => o !== g && overlap(box, boxes.get(o)))) continue;
      placed.push(box); named.add(g.key);
      ctx.textAlign = 'left'; ctx.lineWidth = 3; ctx.lineJoin = 'round'; ctx.strokeStyle = 'rgba(255,255,255,.92)'; ctx.strokeText(g.name, x, y);
      ctx.fillStyle = side(g.side).rim; ctx.fillText(g.name, x, y);
      break;
    }
  }
  return placed.slice(look.names.length);
}

const radius = g => 5.5 + Math.min(7, Math.sqrt(g.units.length) * 1.9);

function blob(ctx, g, look) {
  const r = radius(g), w = r * 2.2, h = r * 1.6, u = g.units[0];
  plate(ctx, u, g.x - w / 2, g.y - h / 2, w, h, 1.8);
  ctx.fillStyle = nation(u.nationality)[1]; ctx.textAlign = 'center'; ctx.textBaseline = 'middle'; ctx.font = `700 ${Math.max(8, r * .95)}px system-ui, sans-serif`;
  ctx.fillText(g.units.length, g.x, g.y + .5); ctx.textBaseline = 'alphabetic';
  if (look.showSupply && g.side === look.supplySide) {
    const key = ['out', 'eats', 'in'].find(k => g.units.some(v => v.supply === k));
    if (key) status(ctx, key, g.x + w / 2, g.y + h / 2, 3.8);
  }
  if (g.units.some(v => v.id === look.unit)) ring(ctx, g.x - w / 2, g.y - h / 2, w, h);
}

// Markers stand in a column at the left of their hex, clear of counters and names.
const SIGNS = { dump: 'SP', truck: 'T', mule: 'M', wagon: 'W', hedgehog: '✳', airbase: '✈', airstrip: '⌒', clearing: 'C', extender: 'X', port: '⚓', air: '✈' };

export function drawMarkers(ctx, board, view, scene) {
  if (detail(view.hex) === 'far') return;
  for (const [h, list] of scene.markersAt) {
    const x = view.px(board.x[h]), y = view.py(board.y[h]);
    if (x < -view.hex || y < -view.hex || x > view.w + view.hex || y > view.h + view.hex) continue;
    const far = view.hex < 42, shown = far ? list.slice(0, 1) : list.slice(0, 4);
    const r = far ? 4.2 : Math.max(4.8, view.hex * .072), gap = r * 2, left = x - view.hex * (far ? .42 : .45), start = y - gap * (shown.length - 1) / 2;
    shown.forEach((m, k) => marker(ctx, m, left, start + k * gap, r));
  }
}

export function marker(ctx, m, x, y, r) {
  ctx.setLineDash([]); ctx.lineWidth = 1.3; ctx.strokeStyle = side(m.side).rim; ctx.fillStyle = '#fffdf2';
  if (m.kind === 'hedgehog') {
    ctx.beginPath();
    for (let k = 0; k < 8; k++) { const a = k * Math.PI / 4; ctx.moveTo(x + Math.cos(a) * r * .5, y + Math.sin(a) * r * .5); ctx.lineTo(x + Math.cos(a) * r * 1.1, y + Math.sin(a) * r * 1.1); }
    ctx.stroke(); ctx.beginPath(); ctx.arc(x, y, r * .6, 0, 7); ctx.fill(); ctx.stroke();
    if (m.amount) label(ctx, String(m.amount), x, y, r);
    return;
  }
  round(ctx, x - r * 1.15, y - r * .85, r * 2.3, r * 1.7, m.side === 'japanese' ? 0 : r * .5);
  ctx.fill(); ctx.stroke();
  label(ctx, m.kind === 'dump' && m.amount ? String(Math.floor(m.amount / 4)) : SIGNS[m.kind] || words1(m.kind), x, y, r);
}

const words1 = kind => (kind || '?')[0].toUpperCase();
function label(ctx, text, x, y, r) {
  ctx.fillStyle = '#111'; ctx.textAlign = 'center'; ctx.textBaseline = 'middle'; ctx.font = `700 ${r * 1.25}px system-ui, sans-serif`;
  ctx.fillText(text, x, y + .5); ctx.textBaseline = 'alphabetic';
}

