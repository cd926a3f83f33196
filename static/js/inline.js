// A choice in a row that is saved at once. Arrow keys move a closed select through values that nobody means, so a
// value reached by keyboard is saved by Enter or by leaving the select, and Escape brings the old one back.
(() => {
  let moving = false; // the last input was a key that changes the value without confirming it

  const selectOf = (event) => event.target.closest?.("select[data-inline]");
  const saved = (select) => [...select.options].find((option) => option.defaultSelected).value;
  const isWaiting = (select) => "waiting" in select.dataset;
  const wait = (select, yes) => {
    if (yes) select.dataset.waiting = "";
    else delete select.dataset.waiting;
    const hint = select.closest("td").querySelector("[data-inline-hint]");
    if (hint.hidden === yes) {
      hint.hidden = !yes;
      if (yes) document.dispatchEvent(new CustomEvent("say", { detail: hint.textContent }));
    }
  };
  const commit = (select) => {
    wait(select, false);
    if (select.value !== saved(select)) select.dispatchEvent(new Event("commit", { bubbles: true }));
  };

  document.addEventListener("pointerdown", () => (moving = false), true);
  document.addEventListener("keydown", (event) => {
    const select = selectOf(event);
    if (!select) return;
    if (isWaiting(select) && event.key === "Enter") {
      event.preventDefault();
      commit(select);
    } else if (isWaiting(select) && event.key === "Escape") {
      select.value = saved(select);
      wait(select, false);
    } else moving = !["Enter", " "].includes(event.key);
  });
  document.addEventListener("change", (event) => {
    const select = selectOf(event);
    if (!select) return;
    if (moving) wait(select, select.value !== saved(select));
    else commit(select);
  });
  document.addEventListener("focusout", (event) => {
    const select = selectOf(event);
    if (select && isWaiting(select)) commit(select);
  });
  // A question that was closed without an answer: the row says what is saved.
  document.addEventListener(
    "close",
    (event) => {
      if (event.target.matches("dialog"))
        document.querySelectorAll("select[data-inline]").forEach((select) => (select.value = saved(select)));
    },
    true,
  );

  const fail = (event) => {
    const select = selectOf(event);
    if (!select) return;
    select.value = saved(select);
    const sentence = select.form.dataset.textNotSaved;
    const cell = select.closest("td");
    cell.querySelector(".field-error")?.remove();
    cell.append(Object.assign(document.createElement("p"), { className: "field-error", textContent: sentence }));
    document.dispatchEvent(new CustomEvent("say", { detail: `${select.getAttribute("aria-label")}: ${sentence}` }));
  };
  for (const type of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) document.addEventListener(type, fail);
})();
