// Games kept in the browser: where each starts and its orders, a few kilobytes a game; the eight latest stay.
import { parse } from './util.js';

const PREFIX = 'bs-game:', MOST = 8;

const keys = () => { try { return Object.keys(localStorage).filter(k => k.startsWith(PREFIX)); } catch { return []; } };

export function kept() {
  return keys().map(k => parse(localStorage.getItem(k), null)).filter(g => g && Array.isArray(g.rows)).sort((a, b) => (b.saved || '').localeCompare(a.saved || ''));
}

// Rows travel as they are played; a gap means that another page plays the same game, and the whole is asked for.
export function keep({ id, about, title, when, cursor, digest, from, rows, now }) {
  const key = PREFIX + id, old = from ? parse(localStorage.getItem(key), null) : null;
  if (from && (!old || old.rows.length < from)) return false;
  const all = [...(old ? old.rows.slice(0, from) : []), ...rows];
  const text = JSON.stringify({ id, about, title, when, cursor, digest, rows: all, saved: now });
  for (const full of [false, true]) {
    try { if (full) drop(1); localStorage.setItem(key, text); break; } catch { if (full) throw new Error('The browser keeps no more games: download this one.'); }
  }
  drop(MOST);
  return true;
}

// The game that this tab of the browser plays: a reload goes on with it.
const HERE = 'bs-game-here';
export function here(id) { try { sessionStorage.setItem(HERE, id); } catch { /* then a reload starts anew */ } }
export function resumed() { try { const id = sessionStorage.getItem(HERE); return id ? kept().find(g => g.id === id) : undefined; } catch { return undefined; } }

export function forget(id) { try { localStorage.removeItem(PREFIX + id); } catch { /* nothing is kept then */ } }

function drop(most) { for (const game of kept().slice(most)) forget(game.id); }
