// Tells the page that frames this one how high it is, so that nobody scrolls within a frame.
(() => {
  if (parent === window) return;
  // It is no secret, and who frames this page is not known.
  new ResizeObserver(() => parent.postMessage({ homewardHeight: document.body.offsetHeight }, "*")).observe(document.body);
})();
