// What a swap of a part of the page needs beyond htmx. Every page works without this file.
(() => {
  const announcer = document.getElementById("announcer");

  // A screen reader hears a sentence only when it changes, so the same one is said anew.
  const say = (sentence) => {
    announcer.textContent = "";
    setTimeout(() => (announcer.textContent = sentence), 60);
  };
  document.addEventListener("say", (event) => say(event.detail));

  // Once: what is appended next is to take the focus then.
  const focus = (part) => {
    const next = part.querySelector("[data-focus]");
    next?.focus();
    next?.removeAttribute("data-focus");
  };

  // What came asks to be told of, or to be read next: a summary of errors, a thank-you, the first new card.
  document.addEventListener("htmx:afterSettle", (event) => {
    const told = document.querySelector("[data-announce]");
    if (told) {
      say(told.dataset.announce);
      told.removeAttribute("data-announce");
    }
    // A removed filter takes its words out of the search field.
    const query = document.querySelector("[data-query]");
    if (query) {
      document.getElementById("q").value = query.dataset.query;
      query.removeAttribute("data-query");
    }
    focus(event.target);
  });
  focus(document.querySelector("main"));

  // A form that is sent whole carries what its own unfinished request was to note, whose answer is nobody's now.
  document.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) window.htmx?.trigger(event.target, "htmx:abort");
  });
})();
