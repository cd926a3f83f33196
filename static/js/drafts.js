// Drafts of forms, kept in this browser until they are saved or discarded, somebody signs out, or a week has passed.
// Each is offered only to the person who typed it. Visitors' drafts end with the tab. Private fields (data-private),
// passwords and files are left out. Leaving a long form (data-draft) with changes asks first.
(() => {
  const PREFIX = "homeward-draft:";
  const DAYS = 7;
  const LEFT_OUT = ["hidden", "file", "password", "submit", "button", "reset"];
  const CHOICES = ["checkbox", "radio"];
  const FORMS = "form[data-draft], form[method=post]:not([data-no-draft], [data-selectable], [data-download], [hx-trigger])";
  const template = document.querySelector("template[data-draft-found]");
  const owner = template?.dataset.owner;
  const first = new WeakMap(); // by form: its answers as the page had them
  const earlier = new WeakMap(); // by form: its earlier draft while that is on offer, and the notice that offers it
  let isClosed = false;
  let leaving = null;

  // Nothing here fails where a browser keeps nothing, or is full: then there are no drafts.
  const attempt = (use) => {
    try {
      return use();
    } catch {
      return null;
    }
  };
  const storage = attempt(() => (owner ? localStorage : sessionStorage));
  const read = (name, from = storage) => attempt(() => JSON.parse(from.getItem(name)));
  const remove = (name) => attempt(() => storage.removeItem(name));
  const write = (name, draft) => isClosed || attempt(() => storage.setItem(name, JSON.stringify(draft)));
  // A page that anyone may see, such as an invitation, also has a button to sign out.
  const removeAll = (test) =>
    [() => localStorage, () => sessionStorage].map(attempt).forEach((from) => {
      for (const name of Object.keys(from ?? {}))
        if (name.startsWith(PREFIX) && test(read(name, from))) attempt(() => from.removeItem(name));
    });

  // A password that is shown while it is typed has the type of a text.
  const isLeftOut = (control) => LEFT_OUT.includes(control.type) || /password/.test(control.autocomplete);
  const isPrivate = (control) => "private" in control.dataset;
  const controlsOf = (form) => [...form.elements].filter((control) => control.name && "value" in control && !isLeftOut(control));
  const keptOf = (form) => controlsOf(form).filter((control) => !isPrivate(control));
  const isTyped = (control) => control.localName === "textarea" || (control.localName === "input" && !CHOICES.includes(control.type));
  const forms = () => [...document.querySelectorAll(FORMS)].filter((form) => "draft" in form.dataset || controlsOf(form).some(isTyped));
  const nameOf = (form) => `${PREFIX}${form.dataset.draft ?? `${owner ?? ""}:${new URL(form.action).pathname}`}`;

  // The answers by name: each the list of its values. ``valuesOf`` returns those of one control.
  const answers = (controls, valuesOf) => {
    const found = {};
    for (const control of controls) (found[control.name] ??= []).push(...valuesOf(control));
    return found;
  };
  const valuesNow = (control) => (CHOICES.includes(control.type) && !control.checked ? [] : [control.value]);
  // Not the values when this script began: a browser that goes back fills in what was typed before that.
  const valuesSent = (control) => {
    if (CHOICES.includes(control.type)) return control.defaultChecked ? [control.value] : [];
    if (control.localName !== "select") return [control.defaultValue];
    const options = [...control.options];
    return [(options.find((option) => option.defaultSelected) ?? options[0])?.value];
  };
  const differing = (now, before) =>
    Object.fromEntries(Object.entries(now).filter(([name, values]) => JSON.stringify(values) !== JSON.stringify(before[name])));
  // A field that was checked meanwhile has what was typed as its own value, so the page's values are noted first.
  const changes = (form, controls) => differing(answers(controls, valuesNow), first.get(form));
  const isUnsaved = (form) => "unsaved" in form.dataset || form.querySelector("[aria-invalid=true]") !== null;
  const isChanged = (form) => isUnsaved(form) || Object.keys(changes(form, controlsOf(form))).length > 0;

  const keep = (form) => {
    if (!form.isConnected || !first.has(form)) return;
    const controls = keptOf(form);
    // A form that shows what was not saved has all of it in its fields. An earlier draft stays until it is discarded.
    const kept = { ...earlier.get(form)?.draft.answers, ...(isUnsaved(form) ? answers(controls, valuesNow) : changes(form, controls)) };
    if (Object.keys(kept).length) write(nameOf(form), { at: Date.now(), version: form.dataset.version ?? "", answers: kept });
    else remove(nameOf(form));
  };

  const restore = (form, kept) => {
    const left = structuredClone(kept);
    for (const control of keptOf(form)) {
      if (!kept[control.name]) continue;
      if (CHOICES.includes(control.type)) control.checked = kept[control.name].includes(control.value);
      else control.value = left[control.name].shift() ?? "";
      const details = control.closest("details");
      if (details && JSON.stringify(valuesNow(control)) !== JSON.stringify(valuesSent(control))) details.open = true;
      control.dispatchEvent(new Event("input", { bubbles: true }));
    }
  };

  const close = (form) => {
    earlier.get(form)?.notice.remove();
    earlier.delete(form);
  };
  const say = (sentence) => document.dispatchEvent(new CustomEvent("say", { detail: sentence }));

  const offer = (form, draft) => {
    const notice = template.content.cloneNode(true).firstElementChild;
    const at = new Date(draft.at);
    const isToday = at.toDateString() === new Date().toDateString();
    const options = isToday ? { timeStyle: "short" } : { dateStyle: "long", timeStyle: "short" };
    notice.querySelector("[data-when]").textContent = at.toLocaleString(undefined, options);
    notice.querySelector("[data-older]").hidden = draft.version === (form.dataset.version ?? "");
    notice.querySelector("[data-not-kept]").hidden = !controlsOf(form).some(isPrivate);
    notice.querySelector("[data-restore]").addEventListener("click", () => {
      close(form);
      restore(form, draft.answers);
      keep(form);
      controlsOf(form)[0]?.focus();
      say(template.dataset.textRestored);
    });
    notice.querySelector("[data-discard]").addEventListener("click", () => {
      close(form);
      keep(form);
      say(template.dataset.textDiscarded);
    });
    earlier.set(form, { draft, notice });
    if ("draft" in form.dataset) form.prepend(notice);
    else form.before(notice);
  };

  const isShown = (form, draft) => Object.keys(differing(draft.answers, answers(keptOf(form), valuesNow))).length === 0;
  const begin = (form) => {
    if (first.has(form)) return;
    first.set(form, answers(controlsOf(form), valuesSent));
    const draft = isUnsaved(form) || !template ? null : read(nameOf(form));
    if (draft?.answers && !isShown(form, draft)) offer(form, draft);
  };

  // The last form that was sent is saved if the next page says that something went well.
  const settle = () => {
    const sent = sessionStorage.getItem("homeward-sent");
    sessionStorage.removeItem("homeward-sent");
    if (sent && document.querySelector('.notice[data-tone="good"]')) remove(sent);
  };

  attempt(settle);
  removeAll((draft) => Date.now() - (draft?.at ?? 0) > DAYS * 86_400_000);
  forms().forEach(begin);

  document.addEventListener("htmx:afterSettle", () => forms().forEach(begin));
  for (const type of ["input", "change"]) document.addEventListener(type, ({ target }) => first.has(target.form) && keep(target.form));

  document.addEventListener("form-sent", ({ detail: form }) => {
    leaving = form;
    if (form.action.endsWith("/sign-out")) {
      // Nor is anything kept that is typed while the next page loads.
      isClosed = true;
      removeAll(() => true);
    } else if (first.has(form)) {
      keep(form);
      attempt(() => sessionStorage.setItem("homeward-sent", nameOf(form)));
    }
  });
  document.addEventListener("htmx:beforeOnLoad", ({ target, detail }) => {
    // The answer to the form itself, saved: the page goes on, or the form's new one takes its place.
    if (!first.has(target) || detail.xhr.status >= 400) return;
    first.delete(target);
    close(target);
    remove(nameOf(target));
    if (detail.xhr.getResponseHeader("HX-Redirect")) leaving = target;
  });
  addEventListener("pageshow", () => {
    leaving = null;
    // A browser that goes back may have filled in the same by now.
    forms().forEach((form) => earlier.has(form) && isShown(form, earlier.get(form).draft) && close(form));
  });
  addEventListener("beforeunload", (event) => {
    if (leaving) return;
    if (forms().some((form) => "draft" in form.dataset && first.has(form) && isChanged(form))) event.preventDefault();
  });
})();
