// The panel: a headline and tabs of sections, each a plain description from the kernel. Nothing here knows a rule.
import { el, parse, isDark, onTheme, newId, save } from './util.js';
import { SECTIONS, reachable } from './sections.js';

const FOCUSABLE = 'button, input, select, textarea, summary, [tabindex]';

const sign = node => node ? `${node.tagName} ${node.closest('label')?.textContent || node.textContent}` : '';

class Panel {
  constructor(model, root) {
    this.model = model; this.root = root; this.id = newId('panel');
    root.classList.add('bs-panel');
    this.headline = el('div', { class: 'bs-headline', role: 'status' });
    this.notice = el('p', { class: 'bs-notice', role: 'alert', hidden: true });
    this.bar = el('div', { role: 'tablist', class: 'bs-tabs', 'aria-label': 'Panel', onkeydown: e => this.arrow(e) });
    this.body = el('div', { role: 'tabpanel', id: `${this.id}-body`, class: 'bs-panel-body', tabindex: 0 });
    root.replaceChildren(this.headline, this.notice, this.bar, this.body);
    this.undo = onTheme(() => this.draw());
    this.hear = () => this.draw();
    this.message = message => { if (message?.save) save(...message.save); };
    model.on('change:content', this.hear);
    model.on('msg:custom', this.message);
    this.draw();
  }

  draw() {
    const content = parse(this.model.get('content'), { tabs: [] }), send = (key, value) => this.model.send({ key, value });
    const [active, asked] = content.active || ['', 0], before = this.open;
    if (asked !== this.asked && active) this.open = active;
    if (!content.tabs.some(t => t.key === this.open)) this.open = content.tabs[0]?.key;
    this.asked = asked; this.tabs = content.tabs;
    this.root.dataset.theme = isDark() ? 'dark' : 'light';
    this.tell(content);
    this.drawBar(send);
    const inside = this.body.contains(document.activeElement);
    const shown = content.tabs.find(t => t.key === this.open), kept = this.open === before ? this.keep() : null;
    this.body.setAttribute('aria-labelledby', `${this.id}-${this.open}`);
    this.body.setAttribute('aria-busy', String(!shown?.sections));
    if (shown?.sections || !kept) this.body.replaceChildren(...(shown?.sections || [{ text: 'One moment …' }]).map(s => (SECTIONS[s.type] || SECTIONS.text)(s, send)));
    reachable(this.body);
    this.restore(kept);
    if (inside && !this.body.contains(document.activeElement)) this.body.focus({ preventScroll: true });   // a pick that opens another tab keeps the focus
    this.root.dataset.seq = content.seq ?? 0;
  }

  // The headline is changed only when it says something new, so that it is read out once.
  tell(content) {
    const [headline, rider] = content.headline || ['', ''], text = [headline, rider].join('|');
    if (text !== this.told) this.headline.replaceChildren(...[headline && el('p', {}, headline), rider && el('p', { class: 'bs-rider' }, rider)].filter(Boolean));
    this.told = text;
    this.notice.textContent = content.notice || '';
    this.notice.hidden = !content.notice;
  }

  // A click with the mouse leaves the arrow keys to the steps; who comes by keyboard walks the tabs with them.
  drawBar(send) {
    const focused = this.bar.contains(document.activeElement);
    this.bar.replaceChildren(...this.tabs.map(t => el('button', { type: 'button', role: 'tab', id: `${this.id}-${t.key}`, 'data-tab': t.key, 'aria-selected': String(t.key === this.open), 'aria-controls': `${this.id}-body`, tabindex: t.key === this.open ? 0 : -1,
      onclick: e => { this.open = t.key; this.body.scrollTop = 0; this.draw(); (e.detail ? this.body : this.bar.querySelector(`[data-tab="${t.key}"]`))?.focus({ preventScroll: true }); send('tab', t.key); } }, t.title)));
    if (focused) this.bar.querySelector(`[data-tab="${this.open}"]`)?.focus();
  }

  // Where the reader is in a tab that is drawn anew: scrolled how far, on which control, with what unfolded.
  keep() {
    const all = [...this.body.querySelectorAll(FOCUSABLE)];
    const at = all.indexOf(document.activeElement);
    return { top: this.body.scrollTop, at, name: sign(all[at]), open: [...this.body.querySelectorAll('details')].map(d => d.open) };
  }

  restore(kept) {
    if (!kept) return;
    [...this.body.querySelectorAll('details')].forEach((d, k) => { d.open = !!kept.open[k]; });
    this.body.scrollTop = kept.top;
    const again = this.body.querySelectorAll(FOCUSABLE)[kept.at];
    if (again && sign(again) === kept.name) again.focus({ preventScroll: true });
    else if (kept.at >= 0) this.body.focus({ preventScroll: true });
  }

  arrow(e) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!by) return;
    e.preventDefault();
    const k = this.tabs.findIndex(t => t.key === this.open), next = this.tabs[(k + by + this.tabs.length) % this.tabs.length];
    this.bar.querySelector(`[data-tab="${next.key}"]`).click();
  }

  close() { this.undo(); this.model.off('change:content', this.hear); this.model.off('msg:custom', this.message); }
}

export default { render({ model, el: root }) { const panel = new Panel(model, root); return () => panel.close(); } };
