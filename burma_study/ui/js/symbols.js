// NATO symbols and size marks, drawn inside a box of any size.
const SIZES = { bn: 'II', rgt: 'III', bde: 'X', column: 'I', div: 'XX', div_hq: 'XX', corps_hq: 'XXX', army_hq: 'XXXX', section: '•' };
export const sizeMark = key => SIZES[key] ?? '';

const cross = (c, x, y, w, h) => { c.moveTo(x, y); c.lineTo(x + w, y + h); c.moveTo(x + w, y); c.lineTo(x, y + h); };
const oval = (c, x, y, w, h) => { c.moveTo(x + w * .8, y + h / 2); c.ellipse(x + w / 2, y + h / 2, w * .3, h * .26, 0, 0, 7); };
const wheels = (c, x, y, w, h) => { for (const f of [.3, .7]) { c.moveTo(x + w * f + h * .1, y + h * .88); c.arc(x + w * f, y + h * .88, h * .1, 0, 7); } };
const text = word => (c, x, y, w, h, ink) => {
  c.font = `700 ${Math.round(h * (word.length > 2 ? .52 : .68))}px system-ui, sans-serif`;
  c.textAlign = 'center'; c.textBaseline = 'middle'; c.fillStyle = ink; c.fillText(word, x + w / 2, y + h * .54); c.textBaseline = 'alphabetic';
};

const DRAW = {
  infantry: cross,
  artillery: (c, x, y, w, h, ink) => { c.save(); c.beginPath(); c.arc(x + w / 2, y + h / 2, h * .2, 0, 7); c.fillStyle = ink; c.fill(); c.restore(); c.beginPath(); },
  tank: oval,
  armored_car: (c, x, y, w, h) => { oval(c, x, y, w, h); c.moveTo(x, y + h); c.lineTo(x + w, y); },
  motorized: (c, x, y, w, h) => { cross(c, x, y, w, h); c.moveTo(x + w / 2, y); c.lineTo(x + w / 2, y + h); },
  mg: (c, x, y, w, h) => { cross(c, x, y, w, h); c.moveTo(x + w / 2, y + h * .9); c.lineTo(x + w / 2, y + h * .25); c.moveTo(x + w * .4, y + h * .42); c.lineTo(x + w / 2, y + h * .2); c.lineTo(x + w * .6, y + h * .42); },
  engineer: (c, x, y, w, h) => { c.moveTo(x + w * .22, y + h * .75); c.lineTo(x + w * .22, y + h * .3); c.lineTo(x + w * .78, y + h * .3); c.lineTo(x + w * .78, y + h * .75); c.moveTo(x + w / 2, y + h * .3); c.lineTo(x + w / 2, y + h * .65); },
  cavalry: (c, x, y, w, h) => { c.moveTo(x, y + h); c.lineTo(x + w, y); },
  hq: text('HQ'), garrison: text('G'), loc: text('LoC'),
  parachute: (c, x, y, w, h) => { cross(c, x, y, w, h); c.moveTo(x + w * .32, y + h * .92); c.quadraticCurveTo(x + w * .41, y + h * .66, x + w / 2, y + h * .92); c.quadraticCurveTo(x + w * .59, y + h * .66, x + w * .68, y + h * .92); },
  column: (c, x, y, w, h) => { cross(c, x, y, w, h); c.moveTo(x + w * .36, y + h * .95); c.lineTo(x + w / 2, y + h * .62); c.lineTo(x + w * .64, y + h * .95); } };

export function drawSymbol(ctx, key, x, y, w, h, ink, fill) {
  ctx.lineWidth = Math.max(1, h * .075); ctx.strokeStyle = ink; ctx.lineJoin = 'miter'; ctx.setLineDash([]);
  if (fill) { ctx.fillStyle = fill; ctx.fillRect(x, y, w, h); }
  ctx.strokeRect(x, y, w, h);
  ctx.beginPath();
  (DRAW[key] || text('?'))(ctx, x, y, w, h, ink);
  ctx.stroke();
}
