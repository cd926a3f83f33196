// A choice that is saved where it stands. If it could not be saved, the old value is back, with a word of it.
(() => {
  const failed = (event) => {
    const select = event.target.closest?.("select[data-inline]");
    if (!select) return;
    select.value = [...select.options].find((option) => option.defaultSelected).value;
    const sentence = "That was not saved. Try again in a moment.";
    const cell = select.closest("td");
    cell.querySelector(".field-error")?.remove();
    cell.append(Object.assign(document.createElement("p"), { className: "field-error", textContent: sentence }));
    document.dispatchEvent(new CustomEvent("say", { detail: `${select.getAttribute("aria-label")}: ${sentence}` }));
  };
  for (const type of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) document.addEventListener(type, failed);
})();
