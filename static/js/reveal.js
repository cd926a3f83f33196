// Shows a password while it is typed, on request.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-reveal]");
  if (!button) return;
  const input = document.getElementById(button.dataset.reveal);
  const hidden = input.type === "password";
  input.type = hidden ? "text" : "password";
  button.setAttribute("aria-pressed", String(hidden));
  button.firstElementChild.textContent = hidden ? button.dataset.textHide : button.dataset.textShow;
});
