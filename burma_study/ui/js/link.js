// Where a reader is, as the fragment of the address: read at the start, kept up to date, and obeyed when he goes back.

const fragmentOf = name => {
  let text = '';
  try { text = name ? decodeURIComponent(location.hash.replace(/^#/, '')) : ''; } catch { text = name ? location.hash.replace(/^#/, '') : ''; }
  return text.startsWith(`${name}?`) ? text.slice(name.length + 1) : null;
};

export const linkOf = (name, query) => `${location.href.replace(/#.*/, '')}#${name || 'map'}?${query}`;
export const readFragment = name => fragmentOf(name);

// A place in the browser's history for each thing looked at; those less than two seconds apart share one, so that
// playing a line through leaves one entry. JupyterLab keeps its own history, so there the address stays as it is.
export class Trail {
  constructor(name, query, follow) {
    this.name = name; this.query = query; this.follow = follow; this.start = this.last = query(); this.pushed = 0;
    this.on = !!name && !!document.body.dataset.voila;
    this.back = () => { const asked = fragmentOf(name) ?? this.start; if (asked !== this.last) { this.last = asked; this.quietUntil = Date.now() + 1500; follow(asked); } };
    if (this.on) for (const event of ['popstate', 'hashchange']) window.addEventListener(event, this.back);
  }

  note() {
    if (!this.on) return;
    clearTimeout(this.due);
    this.due = setTimeout(() => this.write(), 350);
  }

  write() {
    const query = this.query();
    if (query === this.last) return;
    const soon = Date.now() - this.pushed < 2000 || Date.now() < (this.quietUntil || 0);
    this.last = query;
    if (!soon) this.pushed = Date.now();
    try { history[soon ? 'replaceState' : 'pushState'](history.state, '', linkOf(this.name, query)); } catch { /* too many at once: the next one counts */ }
  }

  close() {
    clearTimeout(this.due);
    for (const event of ['popstate', 'hashchange']) window.removeEventListener(event, this.back);
  }
}
