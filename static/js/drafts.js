// Drafts of long forms, kept in this browser until they are saved or discarded, or somebody signs out. Private
// fields, passwords and files are left out. Leaving a form with changes asks first.
(() => {
  const PREFIX = "homeward-draft:";
  const DAYS = 30;
  const WAIT = 400;
  const LEFT_OUT = ["hidden", "file", "password", "submit", "button", "reset"];
  const first = new WeakMap();
  const timers = new WeakMap();
  let leaving = null;

  const storage = {
    get: (key) => {
      try {
        return JSON.parse(localStorage.getItem(key));
      } catch {
        return null;
      }
    },
    // A browser that keeps nothing, or is full, has no drafts.
    set: (key, value) => {
      try {
        localStorage.setItem(key, JSON.stringify(value));
      } catch {
        /* as if there were none */
      }
    },
    drop: (test) => {
      try {
        Object.keys(localStorage).filter((key) => key.startsWith(PREFIX) && test(key)).forEach((key) => localStorage.removeItem(key));
      } catch {
        /* as if there were none */
      }
    },
  };
  const forms = () => document.querySelectorAll("form[data-draft]");
  const keyOf = (form) => PREFIX + form.dataset.draft;

  // The answers by name: each the list of its values.
  const answers = (form, all) => {
    const found = {};
    for (const control of form.elements) {
      if (!control.name || LEFT_OUT.includes(control.type)) continue;
      if (!all && "private" in control.dataset) continue;
      const values = (found[control.name] ??= []);
      if (!["checkbox", "radio"].includes(control.type) || control.checked) values.push(control.value);
    }
    return found;
  };
  const differing = (now, before) =>
    Object.fromEntries(Object.entries(now).filter(([name, values]) => JSON.stringify(values) !== JSON.stringify(before[name])));
  const changes = (form, all = false) => differing(answers(form, all), first.get(form));
  const isChanged = (form) => "unsaved" in form.dataset || Object.keys(changes(form, true)).length > 0;

  const keep = (form) => {
    clearTimeout(timers.get(form));
    if (!form.isConnected || !first.has(form)) return;
    const kept = changes(form);
    // Until it is restored or discarded, an earlier draft is not written over by nothing.
    if (Object.keys(kept).length) storage.set(keyOf(form), { at: Date.now(), version: form.dataset.version ?? "", answers: kept });
    else if (!form.querySelector("[data-draft-notice]")) localStorage.removeItem(keyOf(form));
  };

  const restore = (form, kept) => {
    for (const control of form.elements) {
      const values = kept[control.name];
      if (!values || LEFT_OUT.includes(control.type)) continue;
      if (["checkbox", "radio"].includes(control.type)) control.checked = values.includes(control.value);
      else control.value = values[0] ?? "";
      control.dispatchEvent(new Event("input", { bubbles: true }));
    }
  };

  const offer = (form) => {
    const draft = storage.get(keyOf(form));
    const template = document.querySelector("template[data-draft-found]");
    if (!draft?.answers || !template || Object.keys(differing(draft.answers, answers(form))).length === 0) return;
    const notice = template.content.cloneNode(true).firstElementChild;
    const at = new Date(draft.at);
    const isToday = at.toDateString() === new Date().toDateString();
    const options = isToday ? { timeStyle: "short" } : { dateStyle: "long", timeStyle: "short" };
    notice.querySelector("[data-when]").textContent = at.toLocaleString(undefined, options);
    notice.querySelector("[data-older]").hidden = draft.version === (form.dataset.version ?? "");
    notice.dataset.draftNotice = "";
    notice.querySelector("[data-restore]").addEventListener("click", () => {
      notice.remove();
      restore(form, draft.answers);
      keep(form);
      form.querySelector("input:not([type=hidden]), textarea, select")?.focus();
      document.dispatchEvent(new CustomEvent("say", { detail: "Restored. Nothing is saved yet." }));
    });
    notice.querySelector("[data-discard]").addEventListener("click", () => {
      notice.remove();
      localStorage.removeItem(keyOf(form));
      document.dispatchEvent(new CustomEvent("say", { detail: "Discarded" }));
    });
    form.prepend(notice);
  };

  const begin = (form) => {
    if (first.has(form)) return;
    first.set(form, answers(form, true));
    if (!("unsaved" in form.dataset)) offer(form);
  };

  // The last form that was sent is saved if the next page says that something went well.
  const settle = () => {
    const sent = sessionStorage.getItem("homeward-sent");
    sessionStorage.removeItem("homeward-sent");
    if (sent && document.querySelector('.notice[data-tone="good"]')) localStorage.removeItem(sent);
  };

  const start = () => {
    try {
      settle();
    } catch {
      return; // without storage there are no drafts
    }
    storage.drop((key) => Date.now() - (storage.get(key)?.at ?? 0) > DAYS * 86_400_000);
    forms().forEach(begin);
  };
  start();

  document.addEventListener("htmx:afterSettle", () => forms().forEach(begin));
  for (const type of ["input", "change"])
    document.addEventListener(type, (event) => {
      const form = event.target.form;
      if (!form || !first.has(form)) return;
      clearTimeout(timers.get(form));
      timers.set(form, setTimeout(() => keep(form), WAIT));
    });
  addEventListener("pagehide", () => forms().forEach((form) => !leaving && keep(form)));

  document.addEventListener("form-sent", ({ detail: form }) => {
    leaving = form;
    if (form.action.endsWith("/sign-out")) {
      // Nor is anything kept that was typed just before, or is typed while the next page loads.
      forms().forEach((each) => {
        clearTimeout(timers.get(each));
        first.delete(each);
      });
      storage.drop(() => true);
      return;
    }
    if (!form.dataset.draft) return;
    keep(form);
    try {
      sessionStorage.setItem("homeward-sent", keyOf(form));
    } catch {
      /* as if there were none */
    }
  });
  document.addEventListener("htmx:beforeOnLoad", ({ target, detail }) => {
    // The answer to the form itself, saved: the page goes on, or the form's new one takes its place.
    if (!target.matches("form[data-draft]") || detail.xhr.status >= 400) return;
    clearTimeout(timers.get(target));
    first.delete(target);
    localStorage.removeItem(keyOf(target));
    if (detail.xhr.getResponseHeader("HX-Redirect")) leaving = target;
  });
  addEventListener("pageshow", () => (leaving = null));
  addEventListener("beforeunload", (event) => {
    if (leaving) return;
    if ([...forms()].some((form) => first.has(form) && isChanged(form))) event.preventDefault();
  });
})();
