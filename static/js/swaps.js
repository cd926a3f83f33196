// What a swap of a part of the page needs beyond htmx. Every page works without this file.
(() => {
  const announcer = document.getElementById("announcer");

  // A screen reader hears a sentence only when it changes, so the same one is said anew.
  const say = (sentence) => {
    announcer.textContent = "";
    setTimeout(() => (announcer.textContent = sentence), 60);
  };
  document.addEventListener("say", (event) => say(event.detail));

  // What came asks to be told of, or to be read next: a summary of errors, a thank-you, the first new card.
  document.addEventListener("htmx:afterSettle", (event) => {
    const told = document.querySelector("[data-announce]");
    if (told) {
      say(told.dataset.announce);
      told.removeAttribute("data-announce");
    }
    event.target.querySelector("[data-focus]")?.focus();
  });
  document.querySelector("main [data-focus]")?.focus();
})();
