// Copies what stands beside the button.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const text = button.parentElement.querySelector("code").textContent.trim();
  await navigator.clipboard.writeText(text);
  button.dataset.copied = "";
  document.dispatchEvent(new CustomEvent("say", { detail: "Copied" }));
  setTimeout(() => delete button.dataset.copied, 2000);
});
