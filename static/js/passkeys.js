// A passkey is asked of the browser with a challenge of ours, and its answer is sent as a form.
(() => {
  const known = globalThis.PublicKeyCredential;
  if (!known?.parseCreationOptionsFromJSON || !known.parseRequestOptionsFromJSON) return;
  const ask = {
    create: (told) => navigator.credentials.create({ publicKey: known.parseCreationOptionsFromJSON(told) }),
    get: (told) => navigator.credentials.get({ publicKey: known.parseRequestOptionsFromJSON(told) }),
  };
  const reasons = {
    InvalidStateError: "This device already has a passkey for your account.",
    NotAllowedError: "That was cancelled or took too long. Try again.",
    Unreachable: "We couldn’t reach Homeward. Check your connection, then try again.",
  };
  const FAILED = "That did not work. Reload the page and try again, or use another browser.";

  const challenge = (form) => {
    const token = form.querySelector("[name=csrf_token]").value;
    return fetch(form.dataset.challenge, { method: "POST", headers: { "X-CSRFToken": token } }).catch(() => {
      throw Object.assign(new Error(), { name: "Unreachable" });
    });
  };

  const answer = async (form) => {
    const told = await challenge(form);
    if (told.status === 401) return null; // the form itself then leads to the page that asks who one is
    if (!told.ok || told.redirected) throw new Error();
    return ask[form.dataset.passkey](await told.json());
  };

  const send = async (form) => {
    if ("asking" in form.dataset) return; // the browser's own window is open
    form.dataset.asking = "";
    const says = form.querySelector("[data-passkey-says]");
    says.textContent = "";
    try {
      const stay = document.getElementById("stay");
      if (stay) form.elements.stay.disabled = !stay.checked;
      const given = await answer(form);
      form.elements.answer.value = given ? JSON.stringify(given.toJSON()) : "";
    } catch (error) {
      says.textContent = reasons[error.name] ?? FAILED;
      return;
    } finally {
      delete form.dataset.asking;
    }
    form.submit();
  };

  for (const form of document.querySelectorAll("[data-passkey]")) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      send(form);
    });
  }
  for (const sentence of document.querySelectorAll("[data-passkey-missing]")) sentence.hidden = true;
  // Somebody was adding a passkey when we asked who they are: go on where they were.
  const begun = document.querySelector("[data-confirmed]") && document.querySelector("[data-passkey=create][data-unsaved]");
  if (begun) {
    begun.querySelector("button").focus();
    send(begun);
  }
})();
