// An animal's photos: thumbnails, previous and next, and full screen. Without this file they are plain links.
(() => {
  const gallery = document.querySelector("[data-gallery]");
  if (!gallery) return;
  const strip = gallery.querySelector("[data-strip]");
  const dialog = gallery.querySelector("dialog");
  const thumbs = [...gallery.querySelectorAll("[data-photo]")];
  const number = strip.children.length;
  let full = 0;

  // The scroll position is negative where the page reads from right to left.
  const shown = (row) => Math.min(number - 1, Math.round(Math.abs(row.scrollLeft) / row.clientWidth));
  const show = (row, index, behavior) => {
    const sign = getComputedStyle(row).direction === "rtl" ? -1 : 1;
    row.scrollTo({ left: sign * index * row.clientWidth, behavior });
  };
  const say = (index) => document.dispatchEvent(new CustomEvent("say", { detail: `Photo ${index + 1} of ${number}` }));
  const mark = (index) => {
    thumbs.forEach((thumb, at) => (at === index ? thumb.setAttribute("aria-current", "true") : thumb.removeAttribute("aria-current")));
    if (number > 1) history.replaceState(history.state, "", index ? `?photo=${index + 1}` : location.pathname);
  };

  let drawn = false;
  strip.addEventListener("scroll", () => {
    if (drawn) return;
    drawn = true;
    requestAnimationFrame(() => {
      drawn = false;
      mark(shown(strip));
    });
  });

  const openFullScreen = (index) => {
    let row = dialog.querySelector("[data-strip]");
    if (!row) {
      row = strip.cloneNode(true);
      row.querySelectorAll("[id]").forEach((item) => item.removeAttribute("id"));
      row.querySelectorAll("a").forEach((link) => link.replaceWith(...link.childNodes));
      row.querySelectorAll("source").forEach((source) => (source.sizes = "100vw"));
      row.addEventListener("scroll", () => row.clientWidth && (full = shown(row)));
      dialog.append(row);
    }
    dialog.showModal();
    // An entry of its own, so that the browser's Back closes the full screen and stays on the page.
    if (!history.state?.fullScreen) history.pushState({ ...history.state, fullScreen: true }, "");
    full = index;
    show(row, index, "instant");
  };
  dialog.addEventListener("close", () => {
    show(strip, full, "instant");
    strip.children[full].querySelector("[data-full-screen]").focus({ preventScroll: true });
    if (history.state?.fullScreen) history.back();
  });
  window.addEventListener("popstate", () => {
    if (dialog.open) dialog.close();
    else mark(shown(strip));
  });
  dialog.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || event.target.matches("[data-strip]")) return;
    event.preventDefault();
    turn(dialog.querySelector("[data-strip]"), step);
  });

  const turn = (row, step) => {
    const next = (shown(row) + step + number) % number;
    show(row, next, "instant");
    if (row !== strip) full = next;
    say(next);
  };

  gallery.addEventListener("click", (event) => {
    const link = event.target.closest("a, button");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.dataset.photo) {
      show(strip, link.dataset.photo - 1, "instant");
      say(link.dataset.photo - 1);
    } else if (link.dataset.step) {
      turn(dialog.open ? dialog.querySelector("[data-strip]") : strip, Number(link.dataset.step));
    } else if ("galleryClose" in link.dataset) {
      dialog.close();
    } else if ("fullScreen" in link.dataset) {
      openFullScreen([...strip.children].indexOf(link.parentElement));
    } else return;
    event.preventDefault();
  });

  const asked = Number(new URLSearchParams(location.search).get("photo"));
  if (asked > 1 && asked <= number) show(strip, asked - 1, "instant");
})();
