/* The page is whole without this. It adds copying, one language for all examples, and where one is on the page. */
const announcer = document.getElementById("announcer");
const contents = document.getElementById("contents");

if (navigator.clipboard) {
  for (const sample of document.querySelectorAll(".sample")) {
    const code = sample.querySelector("code");
    if (!sample.querySelector("pre")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
        announcer.textContent = "Copied";
      } catch {
        announcer.textContent = "Your browser did not allow copying";
      }
      setTimeout(() => { button.textContent = "Copy"; announcer.textContent = ""; }, 2000);
    });
    sample.append(button);
  }
}

// A line that is too long scrolls, and what scrolls can be reached with the keyboard.
const blocks = [...document.querySelectorAll(".sample pre")];
function reach() {
  for (const block of blocks) {
    if (block.scrollWidth > block.clientWidth) {
      block.tabIndex = 0;
      block.setAttribute("role", "group");
      block.setAttribute("aria-label", block.previousElementSibling.textContent);
    } else {
      for (const name of ["tabindex", "role", "aria-label"]) block.removeAttribute(name);
    }
  }
}

const choices = [...document.querySelectorAll(".tab-row input")];
const KEPT = "homeward-docs-language";

function choose(language) {
  for (const choice of choices) if (choice.value === language) choice.checked = true;
}

for (const choice of choices) {
  choice.addEventListener("change", () => {
    const before = choice.getBoundingClientRect().top;
    choose(choice.value);
    reach();
    // Examples above have changed their height: keep this one where the reader's eyes are.
    window.scrollBy({ top: choice.getBoundingClientRect().top - before, behavior: "instant" });
    try { localStorage.setItem(KEPT, choice.value); } catch { /* A browser that keeps nothing still shows it. */ }
  });
}
try { choose(localStorage.getItem(KEPT)); } catch { /* The first language stays chosen. */ }

contents.addEventListener("click", (event) => {
  if (event.target.closest("a") && contents.matches(":popover-open")) contents.hidePopover();
});

const links = [...contents.querySelectorAll("a")];
const places = links.map((link) => document.getElementById(link.hash.slice(1)));

function markPlace() {
  // The lowest that has passed the line, and not the last: two columns run beside each other.
  const line = window.innerHeight / 4;
  const tops = places.map((place) => place.getBoundingClientRect().top);
  const current = tops.indexOf(Math.max(...tops.filter((top) => top <= line)));
  links.forEach((link, index) => {
    if (index !== current) return link.removeAttribute("aria-current");
    if (link.hasAttribute("aria-current")) return;
    link.setAttribute("aria-current", "true");
    const box = contents.getBoundingClientRect();
    const spot = link.getBoundingClientRect();
    if (spot.top < box.top || spot.bottom > box.bottom) contents.scrollTop += spot.top - box.top - box.height / 3;
  });
}

let asked = false;
addEventListener("scroll", () => {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => { asked = false; markPlace(); });
}, { passive: true });
markPlace();
addEventListener("resize", reach);
reach();
document.fonts.ready.then(reach);
