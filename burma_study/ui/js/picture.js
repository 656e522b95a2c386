// The read-only fall-back: a picture of each step made by the kernel, with the same steps, caption and text twin.
import { el, save, parse } from './util.js';
import { Board } from './board.js';
import { Film, setSupply } from './film.js';
import { readLive } from './overlays.js';
import { StepBar, twin, download } from './controls.js';

export const canDraw = () => { try { return !!document.createElement('canvas').getContext('2d') && typeof window.L?.map === 'function'; } catch { return false; } };

export class Still {
  constructor(model, root, why) {
    this.model = model; this.root = root; this.svg = '';
    this.board = new Board(model.get('board'));
    root.classList.add('bs-root', 'bs-still');
    this.image = el('img', { class: 'bs-still-image', alt: '' });
    this.caption = el('p', { class: 'bs-caption', tabindex: 0, role: 'region', 'aria-label': 'What happened' });
    this.live_ = el('div', { class: 'bs-sr', 'aria-live': 'polite' });
    this.notice = el('p', { class: 'bs-notice', role: 'alert', hidden: true });
    this.barHolder = el('div');
    this.twin = twin(h => { model.set('selected', h); model.save_changes(); });
    this.twin.node.addEventListener('toggle', () => this.fill());
    const act = (text, title, onclick) => el('button', { type: 'button', class: 'bs-btn bs-text', title, onclick }, text);
    root.replaceChildren(this.notice, why ? el('p', { class: 'bs-small' }, why) : '', this.barHolder, this.caption, this.image,
      el('div', { class: 'bs-actions' }, act('Picture', 'Save this picture as SVG', () => save('map.svg', 'image/svg+xml', this.svg)), act('CSV', 'Positions at this step as CSV', () => download(this.board, this.scene, this.film.steps[this.step], 'csv', 'positions'))), this.live_, this.twin.node);
    this.heard = { step: () => this.show(), live: () => this.ask(), film: () => { this.film.load(model.get('film')); this.show(); }, cast: () => this.open(), notice: () => this.say(model.get('notice')) };
    for (const [name, callback] of Object.entries(this.heard)) model.on(`change:${name}`, callback);
    this.hear = message => { if (message?.picture) this.put(message.picture); };
    model.on('msg:custom', this.hear);
    this.open();
    this.say(model.get('notice'));
    model.send({ drawn: 1 });
  }

  open() {
    this.bar?.toggle(false);
    this.film = new Film(this.model.get('cast'));
    this.film.load(this.model.get('film'));
    this.bar = new StepBar(this.film, step => { this.model.set('step', step); this.model.save_changes(); });
    this.barHolder.replaceChildren(this.bar.node);
    this.show();
  }

  show() {
    this.step = this.model.get('step');
    this.bar.show(this.step);
    this.scene = this.film.at(this.step);
    this.caption.textContent = this.film.steps[this.step]?.caption || '';
    this.ask();
  }

  // The kernel answers a step with new supply lines; the picture is asked for once both are known.
  ask() {
    clearTimeout(this.due);
    this.due = setTimeout(() => this.model.send({ picture: 1 }), 60);
    const live = readLive(parse(this.model.get('live'), {}));
    if (this.scene) setSupply(this.scene, live.status, this.film.words.supply);
    this.fill();
  }

  fill() { if (this.scene) this.twin.fill(this.board, this.scene); }

  put(svg) {
    const s = this.film.steps[this.step];
    this.svg = svg;
    this.image.src = `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
    this.image.alt = `Map of ${this.board.name}, ${s?.title || ''}. The table below holds the same as text.`;
    this.live_.textContent = s?.title || '';
    Object.assign(this.root.dataset, { drawn: `${this.step}`, step: this.step });
  }

  say(text) { this.notice.textContent = text || ''; this.notice.hidden = !text; }

  close() {
    this.bar.toggle(false);
    clearTimeout(this.due);
    for (const [name, callback] of Object.entries(this.heard)) this.model.off(`change:${name}`, callback);
    this.model.off('msg:custom', this.hear);
  }
}
