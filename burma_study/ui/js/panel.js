// The panel: tabs of sections, each a plain description from the kernel. Nothing here knows a rule.
import { el, parse, isDark, onTheme, newId } from './util.js';
import { SECTIONS } from './sections.js';

class Panel {
  constructor(model, root) {
    this.model = model; this.root = root; this.id = newId('panel');
    root.classList.add('bs-panel');
    this.undo = onTheme(() => this.draw());
    this.hear = () => this.draw();
    model.on('change:content', this.hear);
    this.draw();
  }

  draw() {
    const content = parse(this.model.get('content'), { tabs: [] }), send = (key, value) => this.model.send({ key, value });
    const keep = this.root.contains(document.activeElement) ? document.activeElement.dataset?.tab : null;
    const [active, asked] = content.active || ['', 0];
    if (asked !== this.asked && active) this.open = active;
    if (!content.tabs.some(t => t.key === this.open)) this.open = content.tabs[0]?.key;
    this.asked = asked;
    this.root.dataset.seq = content.seq ?? 0;
    this.root.dataset.theme = isDark() ? 'dark' : 'light';
    const tabs = content.tabs.map(t => el('button', { type: 'button', role: 'tab', id: `${this.id}-${t.key}`, 'data-tab': t.key, 'aria-selected': String(t.key === this.open), 'aria-controls': `${this.id}-body`, tabindex: t.key === this.open ? 0 : -1,
      onclick: () => { this.open = t.key; this.draw(); this.root.querySelector(`[data-tab="${t.key}"]`)?.focus(); send('tab', t.key); } }, t.title));
    const shown = content.tabs.find(t => t.key === this.open);
    const bar = el('div', { role: 'tablist', class: 'bs-tabs', 'aria-label': 'Panel', onkeydown: e => this.arrow(e, content.tabs) }, tabs);
    const body = el('div', { role: 'tabpanel', id: `${this.id}-body`, class: 'bs-panel-body', 'aria-labelledby': `${this.id}-${this.open}`, tabindex: 0 }, (shown?.sections || []).map(s => (SECTIONS[s.type] || SECTIONS.text)(s, send)));
    this.root.replaceChildren(content.notice ? el('p', { class: 'bs-notice', role: 'alert' }, content.notice) : '', bar, body);
    if (keep) this.root.querySelector(`[data-tab="${keep}"]`)?.focus();
  }

  arrow(e, tabs) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!by) return;
    e.preventDefault();
    const k = tabs.findIndex(t => t.key === this.open), next = tabs[(k + by + tabs.length) % tabs.length];
    this.root.querySelector(`[data-tab="${next.key}"]`).click();
  }

  close() { this.undo(); this.model.off('change:content', this.hear); }
}

export default { render({ model, el: root }) { const panel = new Panel(model, root); return () => panel.close(); } };
