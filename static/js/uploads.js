// Photos are sent one after another, each with its own progress. Without this file the form sends them.
// On the page of a new animal they wait until it is saved, and then go where the next page says.
(() => {
  const waiting = [];
  let sending = false;
  const say = (sentence) => document.dispatchEvent(new CustomEvent("say", { detail: sentence }));
  const texts = document.querySelector("[data-drop]").dataset;
  const withName = (text, { file }) => text.replace("{file}", () => file.name);
  const made = (tag, properties) => Object.assign(document.createElement(tag), properties);

  // A canvas, since the page's policy allows no addresses of local files. Files that the browser cannot read, such as
  // HEIC in most, keep the empty square.
  const draw = async (file, square) => {
    const image = await createImageBitmap(file, { resizeHeight: 120, resizeQuality: "medium" }).catch(() => null);
    if (!image) return;
    const canvas = made("canvas", { width: image.width, height: image.height });
    canvas.getContext("2d").drawImage(image, 0, 0);
    square.replaceChildren(canvas);
  };

  const item = (file, area) => {
    const entry = { file, to: null };
    const line = made("li", { className: "photo-item" });
    const box = made("div", { className: "stack gap-1" });
    const picture = made("span", { className: "photo-missing" });
    const number = `waiting-${crypto.getRandomValues(new Uint32Array(1))[0]}`;
    const label = made("label", { className: "small", htmlFor: number, textContent: withName(texts.textDescribe, entry) });
    const alt = made("input", { className: "input", id: number, maxLength: Number(area.dataset.altLongest) });
    const bar = made("progress", { className: "progress", max: 100, value: 0, hidden: true });
    bar.setAttribute("aria-label", withName(texts.textSending, entry));
    const away = made("button", { type: "button", className: "button quiet small", textContent: texts.textLeaveOut });
    away.setAttribute("aria-label", withName(texts.textLeaveOutFile, entry));
    box.append(label, alt, bar);
    line.append(picture, box, away);
    draw(file, picture);
    Object.assign(entry, { line, alt, bar, box, away });
    away.addEventListener("click", () => {
      entry.request?.abort();
      drop(entry);
      document.querySelector("[data-drop] input")?.focus();
      say(line.dataset.state === "failed" ? texts.textDismissed : withName(texts.textLeftOut, entry));
    });
    return entry;
  };

  const drop = (entry) => {
    entry.line.remove();
    if (waiting.includes(entry)) waiting.splice(waiting.indexOf(entry), 1);
  };

  const fail = (entry, sentence) => {
    entry.line.dataset.state = "failed";
    entry.away.textContent = texts.textDismiss;
    entry.away.setAttribute("aria-label", withName(texts.textDismissFile, entry));
    const message = made("p", { className: "field-error", textContent: `${entry.file.name}: ${sentence}` });
    entry.box.replaceChildren(message);
    const square = entry.line.querySelector(".photo-missing");
    const mark = document.querySelector("template[data-failed-mark]");
    if (mark && !square.firstChild) square.append(mark.content.cloneNode(true));
    if (waiting.includes(entry)) waiting.splice(waiting.indexOf(entry), 1);
    say(message.textContent);
  };

  const take = (files, area) => {
    const list = area.closest("section").querySelector("[data-waiting]");
    for (const file of files) {
      const entry = item(file, area);
      list.append(entry.line);
      if (file.size > Number(area.dataset.mostBytes)) {
        const size = Math.ceil(file.size / 1_000_000);
        fail(entry, texts.textTooLarge.replace("{size}", size));
      } else waiting.push(entry);
    }
    if (list.dataset.upload) go(list.dataset.upload);
    else say(waiting.length === 1 ? texts.textOneChosen : texts.textManyChosen.replace("{number}", waiting.length));
  };

  const takeFrom = (input) => {
    take([...input.files], input.closest("[data-drop]"));
    input.value = "";
  };

  const go = (address) => {
    waiting.forEach((entry) => (entry.to ??= address));
    if (!sending) next();
  };

  const next = () => {
    const entry = waiting.find((each) => each.to);
    sending = Boolean(entry);
    if (entry) send(entry).finally(next);
  };

  // The sign-in ended. If the person has signed in again in another tab, this page takes over that session's token.
  const again = async (entry, isSecond) => {
    const answer = isSecond ? null : await fetch(location.href, { credentials: "same-origin" }).catch(() => null);
    if (!answer?.ok || answer.redirected) return signIn(entry);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const headers = page.querySelector("[hx-headers]")?.getAttribute("hx-headers");
    const token = page.querySelector("[name=csrf_token]")?.value;
    if (!headers || !token) return signIn(entry);
    document.querySelector("[hx-headers]").setAttribute("hx-headers", headers);
    document.querySelectorAll("[name=csrf_token]").forEach((field) => (field.value = token));
    return send(entry, true);
  };

  const signIn = (entry) => {
    fail(entry, texts.textSignedOut);
    const link = made("a", { href: "/sign-in", target: "_blank", textContent: texts.textSignIn });
    entry.box.append(link);
  };

  // What the service says of a photo that it did not take: why, and how long to wait.
  const reason = (request) =>
    request.status === 422 || /^text\/plain/.test(request.getResponseHeader("Content-Type") ?? "") ? request.responseText : null;

  const send = (entry, isSecond = false) =>
    new Promise((done) => {
      const form = new FormData();
      form.append("alt", entry.alt.value);
      form.append("photos", entry.file);
      const request = (entry.request = new XMLHttpRequest());
      request.open("POST", entry.to);
      const headers = JSON.parse(document.querySelector("[hx-headers]").getAttribute("hx-headers"));
      // As htmx asks, so that the answer is the photo's own line.
      Object.entries({ ...headers, "HX-Request": "true" }).forEach((each) => request.setRequestHeader(...each));
      entry.bar.hidden = false;
      request.upload.addEventListener("progress", ({ loaded, total }) => (entry.bar.value = (100 * loaded) / total));
      request.addEventListener("load", () => {
        if (request.status === 200) keep(entry, request.responseText);
        else if (request.status === 401) return again(entry, isSecond).finally(done);
        else fail(entry, reason(request) ?? texts.textNotSaved);
        done();
      });
      for (const type of ["error", "abort"])
        request.addEventListener(type, () => {
          if (type === "error") fail(entry, texts.textConnectionLost);
          done();
        });
      request.send(form);
    });

  const keep = (entry, text) => {
    const list = document.querySelector("[data-sent]");
    const shown = new DOMParser().parseFromString(text, "text/html").querySelector("li");
    const late = entry.alt.value;
    drop(entry);
    const same = document.getElementById(shown.id);
    if (same) same.replaceWith(shown);
    else list?.append(shown);
    window.htmx.process(shown);
    const alt = shown.querySelector("input[name=alt]");
    if (late && alt.value !== late) {
      // It was described while it was on its way.
      alt.value = late;
      alt.dispatchEvent(new Event("change", { bubbles: true }));
    }
    say(withName(shown.dataset.state === "waiting" ? texts.textSent : texts.textAdded, entry));
  };

  document.addEventListener("change", (event) => {
    if (event.target.closest("[data-drop]")) takeFrom(event.target);
  });
  // Files that were chosen before this script had arrived.
  for (const input of document.querySelectorAll("[data-drop] input[type=file]")) if (input.files.length) takeFrom(input);
  for (const type of ["dragover", "dragleave", "drop"])
    document.addEventListener(type, (event) => {
      document.querySelector("[data-drop]")?.toggleAttribute("data-over", type === "dragover" && Boolean(event.target.closest?.("[data-drop]")));
    });
  // The new animal's form says that photos are to follow.
  document.addEventListener("htmx:configRequest", (event) => {
    if (event.target.id === "animal-form" && waiting.length) event.detail.formData.set("photos_waiting", "yes");
  });
  // A whole page has come: that of the animal which is saved now, or the form once more.
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id !== "main") return;
    const sent = document.querySelector("[data-upload]");
    const list = document.querySelector("[data-waiting]");
    if (!list) return;
    if (sent) {
      waiting.forEach((entry) => entry.line.isConnected || sent.append(entry.line));
      go(sent.dataset.upload);
    } else waiting.forEach((entry) => entry.line.isConnected || list.append(entry.line));
  });
  // A photo that is ready waits for the person to finish describing it: the next poll asks again.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const line = event.target.closest?.('[data-state="waiting"]');
    const isPoll = event.detail.requestConfig.verb === "get";
    if (line && isPoll && document.activeElement.matches("input") && line.contains(document.activeElement)) event.detail.shouldSwap = false;
  });
  addEventListener("beforeunload", (event) => {
    if (waiting.length) event.preventDefault();
  });
})();
