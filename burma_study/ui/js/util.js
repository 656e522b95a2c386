// Small helpers shared by every script of the page. The files of this folder are joined into one module by ui/assets.py.

export const bytes = text => Uint8Array.from(atob(text || ''), c => c.charCodeAt(0));
export const floats = text => new Float32Array(bytes(text).buffer);
export const shorts = text => new Uint16Array(bytes(text).buffer);

export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'class') node.className = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat().filter(child => child !== null && child !== undefined));
  return node;
}

export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) node.setAttribute(name, value);
  node.append(...children.flat().filter(child => child !== null && child !== undefined));
  return node;
}

export const parse = (text, otherwise) => {
  try { return text ? JSON.parse(text) : otherwise; } catch { return otherwise; }
};

export const words = key => String(key || '').replaceAll('_', ' ');
export const capital = text => text ? text[0].toUpperCase() + text.slice(1) : '';
export const plural = (n, one, many = one + 's') => `${n} ${n === 1 ? one : many}`;

export const isDark = () => {
  const { jpThemeLight, bsTheme } = document.body.dataset;
  return bsTheme ? bsTheme === 'dark' : jpThemeLight === 'false';
};

export function onTheme(callback) {
  const watch = new MutationObserver(callback);
  watch.observe(document.body, { attributes: true, attributeFilter: ['data-jp-theme-light', 'data-bs-theme'] });
  return () => watch.disconnect();
}

export function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 5000);
}

// Copy what a box shows. The clipboard is there over https and on this machine only; elsewhere the marked text is copied.
export async function copyText(text, box) {
  try { if (navigator.clipboard) { await navigator.clipboard.writeText(text); return true; } } catch { /* refused: the older way */ }
  box.focus(); box.select();
  try { return document.execCommand('copy'); } catch { return false; }
}

export const localNote = () => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/.test(location.hostname) ? ' The address is that of this computer: nobody else can open it.' : '';

let serial = 0;
export const newId = stem => `bs-${stem}-${++serial}`;
