// Games kept in the browser: where each starts and its orders, a few kilobytes a game; the eight latest stay.
import { parse } from './util.js';

const PREFIX = 'bs-game:', MOST = 8;

const keys = () => { try { return Object.keys(localStorage).filter(k => k.startsWith(PREFIX)); } catch { return []; } };
const textual = (g, ...names) => names.every(name => typeof g[name] === 'string');
const sound = (g, key) => g && textual(g, 'id', 'title', 'when') && PREFIX + g.id === key && g.about && typeof g.about === 'object' && Array.isArray(g.rows) && g.rows.every(Array.isArray);
const read = (key, text = localStorage.getItem(key)) => { const game = parse(text, null); return sound(game, key) ? game : null; };

// The latest first, by a number that each keeping raises: a clock may be set back. One that no keeping can have raised counts for nothing.
const turn = g => Number.isSafeInteger(g.order) && g.order < 2 ** 50 ? g.order : 0;
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

// Names that this page gave to variations or took from them since `before`, on top of those that are kept.
function named(old, game, before) {
  const names = g => g?.about.titles || {}, all = { ...names(old) }, was = names(before), now = names(game);
  for (const node of new Set([...Object.keys(was), ...Object.keys(now)]))
    if (now[node] === undefined) delete all[node]; else if (now[node] !== was[node] || !old) all[node] = now[node];
  return all;
}

// Another page has written: does the game of this one stand there still? 'gone' where it was taken away.
export function heard(event, game) {
  if (!game || (event.key !== null && event.key !== PREFIX + game.id)) return '';
  return event.newValue ? against(read(event.key, event.newValue), game) : 'gone';
}

// Rows travel as they are played, `before` is the game as this page told it last. Orders that are kept are never written over by others.
export function keep({ from, rows, ...about }, before) {
  if (from && (!before || before.rows.length < from)) return { again: true };
  const key = PREFIX + about.id, game = { ...about, rows: [...(before?.rows || []).slice(0, from), ...rows] };
  let old = null;
  try { old = read(key); } catch { /* the writing tells of a store that is shut */ }
  const stand = against(old, game);
  if (stand === 'apart') return { game, stand };
  const most = stand === 'on' ? game : old, titles = named(old, game, before), same = stand === 'behind' && JSON.stringify(titles) === JSON.stringify(old.about.titles || {});
  return { game, stand, ...(same ? {} : write(key, { ...most, about: { ...most.about, titles }, order: Math.max(0, ...kept().map(turn)) + 1 })) };
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
    const put = g => { try { localStorage.setItem(PREFIX + g.id, g.its); return true; } catch { return false; } };
    return { failed: true, gone: gone.reverse().filter(g => !put(g)) };   // another page may have taken the room
  }
}

// The game that this tab of the browser plays: a reload goes on with it.
const HERE = 'bs-game-here';
export function here(id) { try { sessionStorage.setItem(HERE, id); } catch { /* then a reload starts anew */ } }
export function resumed() { try { const id = sessionStorage.getItem(HERE); return id ? kept().find(g => g.id === id) || { lost: id } : undefined; } catch { return undefined; } }

export function forget(id) { try { localStorage.removeItem(PREFIX + id); } catch { /* nothing is kept then */ } }
