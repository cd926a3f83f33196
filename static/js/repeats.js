// A form with data-skip-repeats sends each state once: Enter after typing, or clearing the field, would otherwise
// repeat a request that is on its way or answered, and add a second, equal entry to the history.
(() => {
  const sent = new WeakMap();

  // The filled fields in one order, without what says how far a page reaches.
  const state = (fields) => {
    const pairs = [...fields].map(([name, value]) => [name, value.trim().replace(/\s+/g, " ")]);
    const filled = pairs.filter(([name, value]) => value && name !== "after" && name !== "shown");
    const query = new URLSearchParams(filled);
    query.sort();
    return query.toString();
  };

  document.addEventListener("htmx:confirm", (event) => {
    const form = event.target;
    if (!form.matches("form[data-skip-repeats]")) return;
    const now = state(new FormData(form));
    const before = sent.get(form) ?? state(new URLSearchParams(location.search));
    if (now === before) event.preventDefault();
    else sent.set(form, now);
  });

  // What failed may be tried again.
  for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(failure, (event) => sent.delete(event.target));
  }
})();
