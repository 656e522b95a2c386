// The desk of play: whose turn it is, what is asked, orders being built, the log and the tree. Nothing here knows a rule.
import { el, parse, isDark, onTheme, newId, bytes, copyText, localNote, plural } from './util.js';
import { drawCounter } from './counters.js';
import { SECTIONS, tip, heading, reachable } from './sections.js';
import { keep, kept, unreadable, forget, heard, here, resumed } from './store.js';

const button = (o, send, more = '') => {
  const node = el('button', { type: 'button', class: `bs-btn bs-text ${o.on ? 'bs-on' : ''} ${o.primary ? 'bs-primary' : ''} ${more}`, 'data-focus': `${o.key}:${JSON.stringify(o.value ?? '')}`, 'aria-pressed': o.on === undefined ? null : String(!!o.on), title: o.title || o.off || '',
    onclick: () => { if (!o.off) send(o.key, o.value ?? ''); } }, o.label);
  if (o.off) node.setAttribute('aria-disabled', 'true');
  return node;
};

function face(counter) {
  const ratio = window.devicePixelRatio || 1, size = 40, canvas = el('canvas', { width: size * ratio, height: size * ratio, style: `width:${size}px;height:${size}px`, 'aria-hidden': 'true' });
  const ctx = canvas.getContext('2d');
  ctx.scale(ratio, ratio); drawCounter(ctx, counter, 2, 2, size - 4, true);
  return canvas;
}

const check = (o, key, send, focus) => {
  const box = el('input', { type: 'checkbox', value: o.value, 'data-focus': focus, onchange: () => send(key, o.pick ?? o.value) });
  box.checked = !!o.on; box.disabled = !!o.off;
  return el('label', { class: 'bs-tick', title: o.off || o.why || '' }, box, o.counter ? face(o.counter) : null, el('span', {}, o.label, o.note ? el('small', {}, o.note) : null));
};

const listed = (games, most = 3) => games.slice(0, most).map(g => `${g.title}, ${g.when}, ${plural(g.rows.length, 'order')}`).join('; ') + (games.length > most ? `; and ${games.length - most} more` : '');

const savedAt = g => { const at = new Date(g.saved ?? NaN); return isNaN(at) ? '' : `, ${at.toLocaleString()}`; };

const unfolded = new Set();   // what a reader opened stays open when the desk is drawn anew

const KINDS = { ...SECTIONS,
  buttons: (s, send) => el('div', { class: 'bs-buttons', role: 'group', 'aria-label': s.title || 'Choices' }, heading(s.title), s.items.map(o => button(o, send)), s.items.filter(o => o.off && o.tell).map(o => el('p', { class: 'bs-small bs-tone-note' }, `${o.label}: ${o.off}`))),
  ticks: (s, send) => el('fieldset', { class: 'bs-choices' }, el('legend', {}, s.title), s.items.map((o, k) => check(o, s.key, send, `${s.key}:${s.slot || ''}:${o.value}`))),
  fold: (s, send) => {
    const box = el('details', { class: 'bs-fold', ontoggle: () => { if (box.open) unfolded.add(s.title); else unfolded.delete(s.title); } }, el('summary', { 'data-focus': `fold:${s.title}` }, s.title), s.sections.map(x => KINDS[x.type](x, send)));
    box.open = s.open || unfolded.has(s.title);
    return box;
  },
  refusal: s => el('ul', { class: 'bs-refusal', role: 'alert' }, s.items.map(t => el('li', {}, t))),
  pick: (s, send) => {
    const box = el('select', { 'data-focus': `${s.key}:${s.slot}`, onchange: e => send(s.key, [s.slot, e.target.value]) }, s.options.map(([v, label]) => el('option', { value: v }, label)));
    box.value = s.value;
    return el('label', { class: 'bs-select' }, s.label, ' ', box);
  },
  field: (s, send) => {
    const box = el('input', { type: 'text', value: s.value || '', placeholder: s.hint || '', 'data-focus': `${s.key}:${s.slot}`, size: s.size || 24 }), say = () => send(s.key, [s.slot, box.value]);
    box.addEventListener('keydown', e => { if (e.key === 'Enter') { e.preventDefault(); say(); } });
    return el('div', { class: 'bs-field' }, el('label', {}, s.label, ' ', box), ' ', el('button', { type: 'button', class: 'bs-btn bs-text', 'data-focus': `${s.key}:${s.slot}:set`, onclick: say }, s.act || 'Set'));
  },
  log: (s, send) => el('ol', { class: 'bs-log' }, s.rows.map(r => r.head ? el('li', { class: 'bs-log-head' }, r.head) : el('li', { class: `${r.here ? 'bs-here' : ''} ${r.ahead ? 'bs-ahead' : ''}`, 'aria-current': r.here ? 'step' : null },
    el('button', { type: 'button', class: 'bs-link', 'data-focus': `go:${r.node}`, title: 'Go to the position after this order', onclick: () => send('go', r.node) }, r.text), r.note ? el('small', {}, r.note) : null))),
  tree: (s, send) => el('ul', { class: 'bs-tree' }, s.rows.map(r => el('li', { class: r.here ? 'bs-here' : '', style: `margin-left:${Math.min(r.depth, 8) * 18}px` },
    el('div', {}, el('strong', {}, r.name), ' ', r.text), el('small', {}, r.note), el('div', { class: 'bs-row' }, r.acts.map(o => button(o, send)))))),
  file: (s, send, say) => {
    const box = el('input', { type: 'file', accept: '.gz,.save,.json,.jsonl', 'data-focus': 'file', onchange: async () => {
      const file = box.files[0];
      if (!file) return;
      if (file.size > 5e6) { say('That file is larger than any saved game: at most 5 MB are read here.'); return; }
      const data = new Uint8Array(await file.arrayBuffer());
      let text = '';
      for (let k = 0; k < data.length; k += 32768) text += String.fromCharCode(...data.subarray(k, k + 32768));
      send('open', [file.name, btoa(text)]);
    } });
    return el('label', { class: 'bs-select' }, s.label, ' ', box);
  },
  kept: (s, send) => {
    const games = kept().filter(g => g.id !== s.id);
    const broken = unreadable().map(id => el('p', { class: 'bs-small bs-tone-note' }, `The entry ${id.slice(0, 20)} of this browser’s store is no game that can be read; the others are not touched by it. `, el('button', { type: 'button', class: 'bs-btn bs-text', onclick: e => { forget(id); e.target.closest('p').remove(); } }, 'Forget')));
    if (!games.length) return el('div', {}, s.none ? el('p', { class: 'bs-small' }, s.none) : null, broken);
    return el('div', {}, heading(s.title), broken, el('ul', { class: 'bs-tree' }, games.map(g => el('li', {}, `${g.title}: ${g.when}, ${plural(g.rows.length, 'order')}${savedAt(g)} `,
      button({ key: 'restore', label: s.act || 'Go on', value: g }, (key, value) => send(key, kept().find(now => now.id === value.id) || value)), ' ', el('button', { type: 'button', class: 'bs-btn bs-text', onclick: e => { forget(g.id); e.target.closest('li').remove(); } }, 'Forget')))));
  } };

class Desk {
  constructor(model, root) {
    this.model = model; this.root = root; this.id = newId('desk'); this.told = new Map(); this.full = ''; this.gone = []; this.taken = false;
    root.classList.add('bs-panel', 'bs-desk');
    this.undo = onTheme(() => this.draw());
    this.hear = () => this.draw();
    this.heed = message => this.message(message);
    model.on('change:content', this.hear); model.on('msg:custom', this.heed);
    this.keys = e => this.key(e);
    document.addEventListener('keydown', this.keys);
    this.stored = e => this.written(e);
    window.addEventListener('storage', this.stored);
    this.draw();
    model.send({ key: 'hello', value: kept().slice(0, 1).map(g => g.id) });
    this.resume();
  }

  // After a reload the game of this tab goes on, unless the address names another one.
  resume() {
    const game = document.body.dataset.voila && this.plays() && !/game=|scenario=/.test(location.hash) ? resumed() : undefined;
    if (game?.lost) this.lost = true;
    else if (game) this.model.send({ key: 'restore', value: game });
    if (this.lost) this.draw();
  }

  plays() { return !!parse(this.model.get('content'), {}).bar; }

  send(key, value) {
    this.shown = null;
    this.root.setAttribute('aria-busy', 'true');
    this.model.send({ key, value });
  }

  message(m) {
    if (m.download) {
      const [name, data] = m.download, url = URL.createObjectURL(new Blob([bytes(data)], { type: 'application/gzip' })), link = el('a', { href: url, download: name });
      document.body.append(link); link.click(); link.remove(); setTimeout(() => URL.revokeObjectURL(url), 5000);
    } else if (m.keep) {
      this.keep(m.keep);
    } else if (m.link) {
      const url = `${location.href.replace(/#.*/, '')}#${m.link}`;
      this.shown = url; this.copied = 'Copy'; this.uncopied = false;
      navigator.clipboard?.writeText(url).then(() => { this.copied = 'Copied'; this.draw(); }).catch(() => {});
      this.draw();
      this.root.scrollIntoView({ block: 'nearest' });
      this.root.querySelector('.bs-link-box')?.select();
    }
  }

  keep(told) {
    const done = keep({ ...told, saved: new Date().toISOString() }, this.game?.id === told.id ? this.game : null), before = this.full, taken = this.taken;
    if (done.again) { this.model.send({ key: 'keep-all', value: '' }); return; }
    this.game = done.game; this.taken = false;
    if (done.stand === 'apart') { this.model.send({ key: 'apart', value: told.id }); return; }
    if (this.plays()) {
      here(told.id);
      if (/game=|scenario=/.test(location.hash)) history.replaceState(null, '', location.pathname + location.search);   // the game has gone on from what the address names
    }
    this.full = done.failed ? 'This game is not kept in the browser, whose store is full or shut: download it (Game, Download this game) before you leave the page, or forget a game there.' : '';
    this.gone.push(...(done.gone || []));
    if (this.full !== before || taken || done.gone?.length) this.draw();
    this.root.dataset.kept = String(told.from + told.rows.length);
  }

  // Another tab has written to the store: where it wrote over this game the orders of this one are kept beside it.
  written(event) {
    const stand = heard(event, this.game);
    if (stand === 'apart') this.model.send({ key: 'apart', value: this.game.id });
    if (this.taken !== (stand === 'gone') && stand) { this.taken = stand === 'gone'; this.draw(); }
  }

  // What the browser's own keeping has to say, above every tab, until it is mended or read.
  keeping(bar) {
    const read = (text, end) => el('p', { class: 'bs-notice bs-keeping', role: 'alert' }, text, ' ', el('button', { type: 'button', class: 'bs-btn bs-text', 'data-focus': 'body', onclick: () => { end(); this.draw(); } }, 'Close'));
    return [this.full ? el('p', { class: 'bs-notice bad bs-keeping', role: 'alert' }, this.full) : null,
      this.gone.length ? read(`To make room for this game the browser no longer keeps the oldest: ${listed(this.gone)}.`, () => { this.gone = []; }) : null,
      this.taken && bar?.game === this.game.id ? read('Another tab has taken this game out of the browser’s store, by Forget or to make room for its own. It stands here still, and your next order keeps it again; or download it (Game, Download this game).', () => { this.taken = false; }) : null,
      this.lost ? read('The game that this tab played is no longer kept in this browser, or cannot be read there; a new one begins.', () => { this.lost = false; }) : null].filter(n => n);
  }

  draw() {
    const content = this.whole(parse(this.model.get('content'), null));
    if (!content) return;
    const send = (key, value) => this.send(key, value), say = text => this.say(text);
    const focus = this.root.contains(document.activeElement) ? document.activeElement.dataset?.focus : null, typed = focus && !this.root.hasAttribute('aria-busy') && document.activeElement.type === 'text' && !document.activeElement.readOnly ? document.activeElement.value : null, scroll = this.root.querySelector('.bs-panel-body')?.scrollTop || 0;
    const same = content.active === this.last; this.last = content.active;
    const bar = content.bar;
    if (bar?.scenario && document.body.dataset.voila) document.title = `Play ${bar.scenario}`;
    const tabs = content.tabs.map(([key, title]) => el('button', { type: 'button', role: 'tab', id: `${this.id}-${key}`, 'data-focus': `tab:${key}`, 'data-tab': key, 'aria-selected': String(key === content.active), tabindex: key === content.active ? 0 : -1, onclick: e => { if (e.detail) this.root.querySelector('.bs-panel-body')?.focus({ preventScroll: true }); send('tab', key); } }, title));
    const make = s => (KINDS[s.type] || KINDS.text)(s, send, say);
    const head = !bar ? '' : el('div', { class: 'bs-phase' }, el('div', { class: 'bs-phase-title' }, el('strong', {}, bar.title), el('span', {}, bar.who)),
      el('p', { class: 'bs-small' }, bar.may),
      el('div', { class: 'bs-row' }, bar.buttons.map(o => button(o, send))), bar.skips.length ? el('details', { class: 'bs-skips', open: !!bar.skipOpen }, el('summary', {}, bar.skipTitle), el('ul', {}, bar.skips.map(t => el('li', {}, t)))) : null);
    const body = el('div', { role: 'tabpanel', class: 'bs-panel-body', 'aria-labelledby': `${this.id}-${content.active}`, tabindex: 0, 'data-focus': 'body' }, content.sections.map(make));
    const notices = content.notices.map(([tone, text]) => el('p', { class: `bs-notice ${tone}`, role: 'alert' }, text));
    const link = this.shown ? el('div', { class: 'bs-notice bs-link-shown' }, el('p', {}, 'This link opens the game as it stands here, with the orders that led here. Other variations travel in the downloaded file.' + localNote()),
      el('div', { class: 'bs-row' }, el('input', { class: 'bs-link-box', readonly: true, value: this.shown, 'aria-label': 'Link to this game', 'data-focus': 'link' }),
        el('button', { type: 'button', class: 'bs-btn bs-text', onclick: async () => { const box = this.root.querySelector('.bs-link-box'); const done = await copyText(this.shown, box); this.copied = done ? 'Copied' : 'Copy'; this.uncopied = !done; this.draw(); if (!done) this.root.querySelector('.bs-link-box')?.select(); } }, this.copied),
        el('button', { type: 'button', class: 'bs-btn bs-text', onclick: () => { this.shown = null; this.draw(); } }, 'Close'), this.uncopied ? el('span', { role: 'status' }, 'Marked: copy it with Ctrl-C.') : null)) : null;
    this.root.replaceChildren(head, ...this.keeping(bar), ...notices, link || '', content.question.length ? el('section', { class: 'bs-question', 'aria-label': 'A decision is asked for', 'aria-live': 'polite' }, content.question.map(make)) : '',
      el('div', { role: 'tablist', class: 'bs-tabs', 'aria-label': 'Desk', onkeydown: e => this.arrow(e, content) }, tabs), body);
    reachable(body);
    this.root.dataset.seq = content.seq; this.root.dataset.node = content.node; this.root.dataset.theme = isDark() ? 'dark' : 'light';
    this.root.removeAttribute('aria-busy');
    const begun = content.building && content.building !== this.building;   // an order that is begun is shown from its top
    this.building = content.building;
    const refused = content.sections[0]?.type === 'refusal';   // a refusal is seen, wherever the control stands
    if (same && !begun && !refused) body.scrollTop = scroll;
    if (content.active === 'log') { const here = body.querySelector('.bs-here'); if (here && !same) body.scrollTop = here.offsetTop - body.offsetTop - body.clientHeight / 2; }
    if (begun) this.root.querySelector('.bs-tabs').scrollIntoView({ block: 'nearest' });
    if (begun && focus) body.querySelector('select, input, button')?.focus({ preventScroll: true });
    else if (focus) {
      const again = [...this.root.querySelectorAll('[data-focus]')].find(n => n.dataset.focus === focus);
      if (again && typed !== null) again.value = typed;   // what was not asked for takes nothing from who is writing
      again?.focus();
    }
    if (content.running) setTimeout(() => this.model.send({ key: 'on', value: content.seq }), 30);
  }

  // Sections that were told before stand as their number; a desk that has not heard them asks for everything.
  whole(content) {
    if (!content) return null;
    if (content.fresh) this.told = new Map();
    for (const s of content.sections) if (s.number !== undefined) this.told.set(s.number, s);
    if (content.sections.some(s => s.same !== undefined && !this.told.has(s.same))) return null;
    return { ...content, sections: content.sections.map(s => s.same === undefined ? s : this.told.get(s.same)) };
  }

  say(text) {
    this.root.querySelector('.bs-said')?.remove();
    if (text) this.root.prepend(el('p', { class: 'bs-notice bs-said', role: 'alert' }, text));
  }

  // Keys that work anywhere on the page but in a field: u back, r on, e end of the phase.
  key(e) {
    if (e.altKey || e.ctrlKey || e.metaKey || e.target.closest?.('input, textarea, select, dialog')) return;
    const act = { u: 'undo', r: 'redo', e: 'done', Escape: 'drop' }[e.key];
    if (!act || !document.contains(this.root) || !(document.body.dataset.voila || e.target.closest?.('.bs-study'))) return;
    if (act !== 'drop') e.preventDefault();
    this.send(act, '');
  }

  arrow(e, content) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!by) return;
    e.preventDefault();
    const keys = content.tabs.map(t => t[0]), next = keys[(keys.indexOf(content.active) + by + keys.length) % keys.length];
    const tab = this.root.querySelector(`[data-tab="${next}"]`);
    tab.focus(); tab.click();
  }

  close() { this.undo(); window.removeEventListener('storage', this.stored); document.removeEventListener('keydown', this.keys); this.model.off('change:content', this.hear); this.model.off('msg:custom', this.heed); }
}

export default { render({ model, el: root }) { const desk = new Desk(model, root); return () => desk.close(); } };
