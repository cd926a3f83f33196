// What asks again every few seconds must not get into a reader's way: nothing that they have opened closes, and
// a page that nobody looks at asks for nothing.
(() => {
  const watches = (element) => element.getAttribute("hx-trigger")?.startsWith("every");
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (document.hidden && watches(event.target)) event.preventDefault();
  });

  let open = [];
  document.addEventListener("htmx:beforeSwap", (event) => {
    const asked = event.detail.requestConfig.elt;
    open = [...document.querySelectorAll("details[id][open]")].filter((each) => !each.contains(asked));
  });
  document.addEventListener("htmx:afterSwap", () => {
    open.forEach(({ id }) => document.getElementById(id)?.setAttribute("open", ""));
  });
})();
