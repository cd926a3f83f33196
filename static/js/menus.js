// A menu closes on Escape, with the focus back on what opened it, and when something else is pressed.
(() => {
  const open = () => document.querySelectorAll("details.menu[open]");
  document.addEventListener("click", (event) => {
    open().forEach((menu) => menu.contains(event.target) || (menu.open = false));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    open().forEach((menu) => {
      menu.open = false;
      menu.querySelector("summary").focus();
    });
  });
})();
