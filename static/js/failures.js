// When what a form sent was not answered, or with a fault of ours: say so above it, and keep what was typed.
(() => {
  const tell = (event) => {
    const form = event.target.closest("form:has(> template[data-failure])");
    if (!form) return;
    clear(form);
    const notice = form.querySelector("template[data-failure]").content.cloneNode(true).firstElementChild;
    notice.dataset.failed = "";
    form.prepend(notice);
    notice.focus();
  };
  const clear = (form) => form.querySelector("[data-failed]")?.remove();

  document.addEventListener("htmx:responseError", tell);
  document.addEventListener("htmx:sendError", tell);
  document.addEventListener("htmx:timeout", tell);
  document.addEventListener("htmx:beforeRequest", (event) => clear(event.target));
})();
