// When htmx got no answer, or a fault of ours. A form says so above itself and keeps what was typed; what only
// reads goes to its address as without script, so that the page never shows another thing than its filters say.
// What asks every few seconds asks again anyway.
(() => {
  const tell = (event) => {
    if (event.target.getAttribute("hx-trigger")?.startsWith("every")) return;
    const form = event.target.closest("form:has(> template[data-failure])");
    if (!form) {
      const { requestConfig, pathInfo } = event.detail;
      if (requestConfig.verb === "get") location.assign(pathInfo.finalRequestPath);
      return;
    }
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
