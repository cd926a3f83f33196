// What a swap of a part of the page needs beyond htmx. Every page works without this file.
(() => {
  const announcer = document.getElementById("announcer");

  // A screen reader announces text only when it changes, so the same text is cleared and set again.
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

  // A swap closes the sections that the user has opened, and an element in a closed part cannot keep
  // the focus. This runs after the attributes are settled, since htmx replaces "open" only then.
  let before = [];
  let focused = "";
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    before = [...detail.target.querySelectorAll("details.disclosure[id]")].map(({ id, open }) => ({ id, open }));
    focused = detail.target.contains(document.activeElement) ? document.activeElement.id : "";
  });
  const reopen = () => {
    for (const { id, open } of before.splice(0)) {
      const part = document.getElementById(id);
      if (part) part.open = open;
    }
    if (focused && document.activeElement === document.body) document.getElementById(focused)?.focus();
    focused = "";
  };

  // New content is announced or gets the focus: an error summary, a thank-you, the first new card.
  document.addEventListener("htmx:afterSettle", (event) => {
    reopen();
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
