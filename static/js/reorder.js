// Photos are dragged into another order, which is sent by the form that the list names. Buttons do the same.
(() => {
  let dragged = null;
  const list = (event) => event.target.closest?.("[data-reorder]");
  document.addEventListener("dragstart", (event) => {
    if (!list(event) || event.target.matches("input")) return;
    dragged = event.target.closest("[draggable]");
    event.dataTransfer.effectAllowed = "move";
    dragged.dataset.dragged = "";
  });
  document.addEventListener("dragover", (event) => {
    if (!dragged || !list(event)) return;
    event.preventDefault();
    const over = event.target.closest("[draggable]");
    if (!over || over === dragged) return;
    const { top, height } = over.getBoundingClientRect();
    over[event.clientY > top + height / 2 ? "after" : "before"](dragged);
  });
  document.addEventListener("drop", (event) => dragged && list(event) && event.preventDefault());
  document.addEventListener("dragend", () => {
    if (!dragged) return;
    const of = dragged.closest("[data-reorder]");
    delete dragged.dataset.dragged;
    dragged = null;
    const form = document.getElementById(of.dataset.reorder);
    const order = [...of.children].flatMap((each) => each.dataset.id ?? []).join(",");
    if (form.elements.order.value === order) return;
    form.elements.order.value = order;
    form.requestSubmit();
  });
})();
