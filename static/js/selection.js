// Selected rows are counted in the bar, and out loud. One box selects the page, another all pages. After a tick by
// keyboard, a button next to the box leads to the bar, which follows a whole table of links.
(() => {
  const texts = document.getElementById("announcer").dataset;
  const withNumber = (text, number) => text.replace("{number}", number);
  const skip = Object.assign(document.createElement("button"), { type: "button", className: "skip-link" });

  const recount = (form) => {
    const boxes = [...form.querySelectorAll(":is(tbody, .inbox-list) [type=checkbox]")];
    const all = form.querySelector("[data-select-all]");
    const bar = form.querySelector(".bulk-bar");
    if (!all || !bar) return "0";
    const count = boxes.filter((box) => box.checked).length;
    all.checked = count > 0 && count === boxes.length;
    all.indeterminate = count > 0 && !all.checked;
    // All pages can be selected once all of this page is.
    const matching = form.querySelector("[data-all-matching]");
    if (matching) {
      matching.hidden = !all.checked;
      if (matching.hidden) matching.querySelector("input").checked = false;
    }
    const everywhere = matching?.querySelector(":checked");
    const number = (everywhere ? Number(everywhere.dataset.number) : count).toLocaleString(document.documentElement.lang);
    form.querySelector("[data-selected-count]").textContent = withNumber(texts.textSelected, number);
    bar.hidden = count === 0;
    if (bar.hidden) skip.remove();
    else skip.textContent = withNumber(texts.textToActions, number);
    return number;
  };
  const recountAll = () => document.querySelectorAll("[data-selectable]").forEach(recount);
  skip.addEventListener("click", () => skip.closest("form").querySelector(".bulk-bar").focus());
  document.addEventListener("change", (event) => {
    const form = event.target.closest("[data-selectable]");
    if (!form || !event.target.matches("[type=checkbox]")) return;
    if (event.target.matches("[data-select-all]"))
      form.querySelectorAll(":is(tbody, .inbox-list) [type=checkbox]").forEach((box) => (box.checked = event.target.checked));
    const number = recount(form);
    if (number !== "0") event.target.closest(".cell-select")?.append(skip);
    document.dispatchEvent(new CustomEvent("say", { detail: withNumber(texts.textSelected, number) }));
  });
  document.addEventListener("reset", (event) => {
    if (event.target.matches("[data-selectable]")) setTimeout(() => recount(event.target));
  });
  document.addEventListener("htmx:afterSettle", recountAll);
  recountAll();
})();
