// What is put into a form must not undo what stands in it.
(() => {
  // A checked field is left alone while somebody is writing in it again.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target } = event.detail;
    if (target.matches("[data-checked]") && target.contains(document.activeElement)) event.detail.shouldSwap = false;
  });
  // While the old page and the new one are both there, their radio buttons are one group, which has one choice.
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id !== "main") return;
    event.target.querySelectorAll("[type=radio][checked]").forEach((radio) => (radio.checked = true));
  });
})();
