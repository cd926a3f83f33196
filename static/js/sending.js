// Sending forms. A form is sent once, however often its button is pressed. If the service cannot be reached,
// the page stays as it is and says so. A form whose session has ended is sent as a whole page, which asks to sign in.
(() => {
  const SECONDS = 10;
  const HOPELESS = [403, 404, 409, 410]; // sending the same again does not change these
  const pressed = new WeakMap();
  const passed = new WeakSet();

  const clear = (form) => form.querySelector("[data-failed]")?.remove();

  // Above the form: that it was not sent, in the words of the form's own template or of the page's.
  const tell = (form, sentence, isHopeless = false) => {
    clear(form);
    const template = form.querySelector(":scope > template[data-failure]") ?? document.querySelector("template[data-not-sent]");
    if (!template) return;
    const notice = template.content.cloneNode(true).firstElementChild;
    if (sentence) notice.querySelector("p").textContent = sentence;
    if (isHopeless) notice.querySelector("[data-try-again]")?.parentElement.remove();
    notice.dataset.failed = "";
    notice.querySelector("[data-try-again]")?.addEventListener("click", () => form.requestSubmit(pressed.get(form)));
    form.prepend(notice);
    notice.focus();
  };

  const isReachable = async () => {
    if (!navigator.onLine) return false;
    try {
      return (await fetch("/healthz", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(SECONDS * 1000) })).ok;
    } catch {
      return false;
    }
  };

  const send = async (form, button) => {
    form.dataset.sending = "";
    clear(form);
    const reachable = await isReachable();
    if (!reachable) {
      delete form.dataset.sending;
      tell(form);
      return;
    }
    passed.add(form);
    form.requestSubmit(button);
    passed.delete(form);
  };

  addEventListener("submit", (event) => {
    const form = event.target;
    pressed.set(form, event.submitter?.form === form && !event.submitter.closest("[data-failed]") ? event.submitter : undefined);
    // htmx and other scripts send their forms themselves. What only reads can be read again.
    if (event.defaultPrevented || form.method !== "post" || "download" in form.dataset) return;
    if (passed.has(form)) {
      document.dispatchEvent(new CustomEvent("form-sent", { detail: form }));
      return;
    }
    event.preventDefault();
    if (!("sending" in form.dataset)) send(form, pressed.get(form));
  });
  // The page came out of the browser's memory: its forms can be sent again.
  addEventListener("pageshow", () => document.querySelectorAll("form[data-sending]").forEach((form) => delete form.dataset.sending));

  // What htmx sent, sent again as a form of the whole page. Files cannot go along.
  const resend = ({ path, formData }) => {
    const form = document.createElement("form");
    form.method = "post";
    form.action = path;
    for (const [name, value] of formData) {
      if (typeof value !== "string") continue;
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    }
    document.body.append(form);
    document.dispatchEvent(new CustomEvent("form-sent", { detail: form }));
    form.submit();
  };

  // When htmx got no answer, or an error. A form says so above itself and keeps what was typed; what only reads
  // goes to its address as without script, so that the page never shows another thing than its filters say.
  // What asks every few seconds asks again anyway.
  const failed = (event) => {
    const { requestConfig, pathInfo, xhr } = event.detail;
    if (event.target.getAttribute("hx-trigger")?.startsWith("every")) return;
    if (xhr?.status === 401 && requestConfig.verb === "post") {
      resend(requestConfig);
      return;
    }
    // A check of one field, or a choice in a row with a script of its own.
    if (event.target.closest("[data-checked], [data-inline]")) return;
    const form = event.target.closest("form");
    // A suggestion for a field: opening its address would lose the form.
    if (requestConfig.verb === "get" && event.target.matches("input") && form?.method === "post") return;
    if (requestConfig.verb === "get") location.assign(pathInfo.finalRequestPath);
    else if (form) tell(form, /^text\/plain/.test(xhr?.getResponseHeader("Content-Type") ?? "") ? xhr.responseText : "", HOPELESS.includes(xhr?.status));
  };
  for (const type of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) document.addEventListener(type, failed);
  document.addEventListener("htmx:beforeRequest", (event) => event.target.matches("form") && clear(event.target));
  // A form that is shown again after signing in is at its own address.
  const shown = document.querySelector("[data-shown-at]");
  if (shown) history.replaceState(null, "", shown.dataset.shownAt);
})();
