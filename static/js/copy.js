// Copies the text beside the button. If the browser does not allow it, the text is selected.
(() => {
  const copy = async (code) => {
    // A page that was not sent over TLS has no clipboard of its own.
    if (navigator.clipboard) return navigator.clipboard.writeText(code.textContent.trim());
    getSelection().selectAllChildren(code);
    if (!document.execCommand("copy")) throw new Error("not allowed");
  };
  const texts = document.getElementById("announcer").dataset;
  const say = (sentence) => document.dispatchEvent(new CustomEvent("say", { detail: sentence }));

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const code = button.parentElement.querySelector("code");
    try {
      await copy(code);
      button.dataset.copied = "";
      say(texts.textCopied);
      setTimeout(() => delete button.dataset.copied, 2000);
    } catch {
      getSelection().selectAllChildren(code);
      say(texts.textNotCopied);
    }
  });
})();
