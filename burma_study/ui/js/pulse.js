// A heartbeat: a page whose kernel is gone looks alive, so this says when nobody answers. A hidden tab is silent, so that its kernel can be ended.
const EVERY = 3000, PATIENCE = 9500;

function render({ model, el: root }) {
  let heard = Date.now(), seen = Date.now();
  root.setAttribute('role', 'alert');
  const hear = message => { if (message?.pong) { heard = Date.now(); root.replaceChildren(); root.className = ''; } };
  model.on('msg:custom', hear);
  const beat = () => {
    if (document.visibilityState !== 'visible') { seen = 0; return; }
    if (!seen) { seen = Date.now(); heard = Date.now(); }
    try { model.send({ ping: 1 }); } catch { /* the banner below tells */ }
    if (Date.now() - heard > PATIENCE && !root.childElementCount) {
      root.className = 'bs-lost';
      const again = document.createElement('button');
      again.type = 'button'; again.textContent = 'Reload the page'; again.onclick = () => location.reload();
      root.append('The computation behind this page has stopped, so clicks do nothing. ', again);
    }
  };
  const timer = setInterval(beat, EVERY);
  return () => { clearInterval(timer); model.off('msg:custom', hear); };
}

export default { render };
