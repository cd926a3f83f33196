// Selected rows are counted in the bar, out loud as well, and one box selects them all.
(() => {
  const recount = (form) => {
    const boxes = [...form.querySelectorAll("tbody [type=checkbox]")];
    const all = form.querySelector("[data-select-all]");
    const bar = form.querySelector(".bulk-bar");
    if (!all || !bar) return 0;
    const count = boxes.filter((box) => box.checked).length;
    all.checked = count > 0 && count === boxes.length;
    all.indeterminate = count > 0 && !all.checked;
    form.querySelector("[data-selected-count]").textContent = `${count} selected`;
    bar.hidden = count === 0;
    return count;
  };
  const recountAll = () => document.querySelectorAll("[data-selectable]").forEach(recount);
  document.addEventListener("change", (event) => {
    const form = event.target.closest("[data-selectable]");
    if (!form || !event.target.matches("[type=checkbox]")) return;
    if (event.target.matches("[data-select-all]"))
      form.querySelectorAll("tbody [type=checkbox]").forEach((box) => (box.checked = event.target.checked));
    document.dispatchEvent(new CustomEvent("say", { detail: `${recount(form)} selected` }));
  });
  document.addEventListener("reset", (event) => {
    if (event.target.matches("[data-selectable]")) setTimeout(() => recount(event.target));
  });
  document.addEventListener("htmx:afterSettle", recountAll);
  recountAll();
})();
