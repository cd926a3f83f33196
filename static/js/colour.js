// The browser's colour picker beside a text field: each sets the other, and the field reports the change.
(() => {
  const HEX = /^#[0-9a-f]{6}$/i;
  document.querySelectorAll("[data-colour-for]").forEach((picker) => {
    const field = document.getElementById(picker.dataset.colourFor);
    const follow = () => HEX.test(field.value.trim()) && (picker.value = field.value.trim());
    follow();
    field.addEventListener("input", follow);
    picker.addEventListener("input", () => {
      field.value = picker.value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  });
})();
