// Share: a phone's own sheet where there is one, or the menu. Without this file the menu has plain links.
(() => {
  const announce = (sentence) => document.dispatchEvent(new CustomEvent("say", { detail: sentence }));

  // A page that was not sent over TLS has no clipboard of its own.
  const copy = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const field = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    if (!copied) throw new Error("not allowed");
  };

  const tell = (button, sentence) => {
    const label = button.querySelector("span");
    const before = label.textContent;
    announce(sentence);
    if (before === sentence) return;
    label.textContent = sentence;
    setTimeout(() => (label.textContent = before), 2500);
  };

  document.addEventListener("click", (event) => {
    const menu = event.target.closest("[data-share]");
    if (!menu) return;
    const address = menu.dataset.share;
    const button = event.target.closest("[data-share-copy]");
    if (button) {
      copy(address).then(
        () => tell(button, button.dataset.textCopied),
        () => tell(button, button.dataset.textNotCopied),
      );
    } else if (event.target.closest("summary") && navigator.share && matchMedia("(pointer: coarse)").matches) {
      event.preventDefault();
      // Turned away from is no failure; anything else leaves the menu.
      navigator.share({ title: menu.dataset.shareTitle, url: address }).catch((reason) => {
        menu.open = reason.name !== "AbortError";
      });
    }
  });
})();
