// A heartbeat. A page whose kernel does not answer is in one of three states: the kernel computes, the line to it is cut, or the kernel is gone. Only the last needs a reload, and only a server that was asked can tell them apart. A hidden tab is silent, so that its kernel can be ended.
const EVERY = 3000, SOON = 1000, PATIENCE = 9500, REPLY = 4000;
const SAYS = {
  computing: 'The computation behind this page is still at work; what you do is done after it.',
  lost: 'The connection to the server is lost. The page tries again by itself; nothing needs to be done.',
  gone: 'The computation behind this page has stopped, so clicks do nothing. '
};

function kernelUrl() {
  const config = JSON.parse(document.getElementById('jupyter-config-data')?.textContent || 'null');
  if (!config?.kernelId) return null;   // in JupyterLab, which tells of its kernels itself
  return `${(config.baseUrl || '/').replace(/\/?$/, '/')}api/kernels/${encodeURIComponent(config.kernelId)}`;
}

// What the server says of the kernel: 'computing'; 'deaf' if it is idle and yet hears nothing of this page; 'gone'; 'lost' if there is no answer at all.
async function ask(url) {
  const stop = new AbortController(), timer = setTimeout(() => stop.abort(), REPLY);
  try {
    const answer = await fetch(url, { signal: stop.signal, cache: 'no-store' });
    if (answer.status === 404) return 'gone';
    if (!answer.ok) return 'lost';   // a proxy whose server is away
    const { execution_state: now } = await answer.json();
    return now === 'dead' ? 'gone' : now === 'idle' ? 'deaf' : 'computing';
  } catch { return 'lost'; } finally { clearTimeout(timer); }
}

function render({ model, el: root }) {
  const url = kernelUrl();
  let heard = Date.now(), seen = true, sent = 0, mended = 0, asking = false, state = '', closed = false;
  const show = next => {
    if (next === state) return;
    state = next;
    root.replaceChildren();
    root.dataset.state = state;
    root.className = state ? 'bs-lost' : '';
    root.setAttribute('role', state === 'computing' ? 'status' : 'alert');
    if (!state) return;
    root.append(SAYS[state]);
    if (state !== 'gone') return;
    const again = document.createElement('button');
    again.type = 'button'; again.textContent = 'Reload the page'; again.onclick = () => location.reload();
    root.append(again);
  };
  const hear = message => { if (message?.pong) { heard = Date.now(); show(''); } };
  model.on('msg:custom', hear);
  const ping = () => { sent = Date.now(); try { model.send({ ping: 1 }); } catch { /* the state below tells */ } };
  // While the line is cut the widgets try it ever more rarely and then no more: it is asked for once the server answers.
  const line = () => model.widget_manager?.kernel;
  const mend = () => { line()?.reconnect?.().catch(() => {}); };
  const look = async () => {
    if (asking) return;
    asking = true;
    const since = heard, before = state, next = url ? await ask(url) : 'gone';
    asking = false;
    if (closed || heard !== since) return;
    const cut = next === 'deaf' || (next === 'computing' && before === 'lost');
    if (cut && Date.now() - mended > EVERY) { mended = Date.now(); mend(); }
    show(cut ? 'lost' : next);
  };
  const beat = () => {
    if (document.visibilityState !== 'visible') { seen = false; return; }
    if (!seen) { seen = true; heard = Date.now(); }
    const open = (line()?.connectionStatus ?? 'connected') === 'connected';   // what is said into a cut line is kept for later
    if (open && Date.now() - sent >= (state === 'lost' ? SOON : EVERY)) ping();
    if (!open && !state && Date.now() - heard > SOON) look();
    if (Date.now() - heard > PATIENCE && state !== 'gone') look();
  };
  const timer = setInterval(beat, SOON);
  ping();
  return () => { closed = true; clearInterval(timer); model.off('msg:custom', hear); };
}

export default { render };
