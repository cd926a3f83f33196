// A question that the server sent open becomes modal; the safe answer closes it, and the focus goes back.
(() => {
  let asked = null;
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id === "dialog-slot") asked = event.detail.requestConfig.elt;
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const dialog = event.target.querySelector?.("dialog[data-modal]");
    if (!dialog) return;
    dialog.removeAttribute("open");
    dialog.showModal();
    dialog.addEventListener("close", () => {
      dialog.remove();
      // The button that opened it may have been replaced meanwhile.
      const opener = asked?.isConnected ? asked : document.getElementById(asked?.id);
      opener?.closest("details.menu")?.querySelector("summary").focus();
      opener?.focus();
    });
  });
  document.addEventListener("click", (event) => {
    const dialog = event.target.closest("[data-close]")?.closest("dialog");
    if (!dialog) return;
    event.preventDefault();
    dialog.close();
  });
})();
