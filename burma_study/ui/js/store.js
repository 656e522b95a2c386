// Games kept in the browser: where each starts and its orders, a few kilobytes a game; the eight latest stay.
import { parse } from './util.js';

const PREFIX = 'bs-game:', MOST = 8;

const keys = () => { try { return Object.keys(localStorage).filter(k => k.startsWith(PREFIX)); } catch { return []; } };
const textual = (g, ...names) => names.every(name => typeof g[name] === 'string');
const sound = (g, key) => g && textual(g, 'id', 'title', 'when') && PREFIX + g.id === key && g.about && typeof g.about === 'object' && Array.isArray(g.rows) && g.rows.every(Array.isArray);
const read = (key, text = localStorage.getItem(key)) => { const game = parse(text, null); return sound(game, key) ? game : null; };

// The latest first, by a number that each keeping raises: a clock may be set back.
const turn = g => Number.isSafeInteger(g.order) ? g.order : 0;
export const kept = () => keys().map(k => read(k)).filter(g => g).sort((a, b) => turn(b) - turn(a) || String(b.saved || '').localeCompare(String(a.saved || '')));

// Entries that nobody can read are left where they are, and named.
export const unreadable = () => keys().filter(k => !read(k)).map(k => k.slice(PREFIX.length));

const begins = (a, b) => a.length <= b.length && a.every((row, k) => JSON.stringify(row) === JSON.stringify(b[k]));
const start = g => JSON.stringify([g.about.at, g.about.seed]);

// How the orders of a page stand to those that are kept of its game: 'on' from them, 'behind' them, or 'apart'.
function against(old, game) {
  if (!old) return 'on';
  if (start(old) !== start(game)) return 'apart';
  return begins(old.rows, game.rows) ? 'on' : begins(game.rows, old.rows) ? 'behind' : 'apart';
}

// Another page has written: does the game of this one stand there still?
export const heard = (event, game) => event.key === PREFIX + game?.id && event.newValue ? against(read(event.key, event.newValue), game) : '';

// Rows travel as they are played, `before` are those that this page knows. Orders that are kept are never written over by others.
export function keep({ from, rows, ...about }, before) {
  if (from && (!before || before.length < from)) return { again: true };
  const key = PREFIX + about.id, game = { ...about, rows: [...(before || []).slice(0, from), ...rows] };
  let stand = 'on';
  try { stand = against(read(key), game); } catch { /* the writing tells of a store that is shut */ }
  return { game, stand, ...(stand === 'on' ? write(key, { ...game, order: Math.max(0, ...kept().map(turn)) + 1 }) : {}) };
}

// Where there is no room the oldest games go and are named; if even that does not help they are put back.
function write(key, game) {
  const text = JSON.stringify(game), others = kept().filter(g => PREFIX + g.id !== key), gone = [];
  const drop = () => { const g = others.pop(); gone.push({ ...g, its: localStorage.getItem(PREFIX + g.id) }); forget(g.id); };
  try {
    while (others.length >= MOST) drop();
    for (;;) {
      try { localStorage.setItem(key, text); return { gone }; } catch (error) { if (!others.length) throw error; drop(); }
    }
  } catch {
    gone.forEach(g => localStorage.setItem(PREFIX + g.id, g.its));
    return { failed: true };
  }
}

// The game that this tab of the browser plays: a reload goes on with it.
const HERE = 'bs-game-here';
export function here(id) { try { sessionStorage.setItem(HERE, id); } catch { /* then a reload starts anew */ } }
export function resumed() { try { const id = sessionStorage.getItem(HERE); return id ? kept().find(g => g.id === id) || { lost: id } : undefined; } catch { return undefined; } }

export function forget(id) { try { localStorage.removeItem(PREFIX + id); } catch { /* nothing is kept then */ } }
