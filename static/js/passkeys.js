// A passkey is asked of the browser with a challenge of ours, and its answer is sent as a form.
(() => {
  const known = globalThis.PublicKeyCredential;
  if (!known?.parseCreationOptionsFromJSON || !known.parseRequestOptionsFromJSON) return;
  const ask = {
    create: (told) => navigator.credentials.create({ publicKey: known.parseCreationOptionsFromJSON(told) }),
    get: (told) => navigator.credentials.get({ publicKey: known.parseRequestOptionsFromJSON(told) }),
  };
  const reasons = {
    InvalidStateError: "This device has a passkey for you already.",
    NotAllowedError: "The passkey was not used. You can try again.",
  };

  const answer = async (form) => {
    const token = form.querySelector("[name=csrf_token]").value;
    const told = await fetch(form.dataset.challenge, { method: "POST", headers: { "X-CSRFToken": token } });
    if (told.status === 401) return null; // the form itself then leads to the page that asks who one is
    if (!told.ok || told.redirected) throw new Error();
    return ask[form.dataset.passkey](await told.json());
  };

  const send = async (form) => {
    const says = form.querySelector("[data-passkey-says]");
    says.textContent = "";
    try {
      const stay = document.getElementById("stay");
      if (stay) form.elements.stay.disabled = !stay.checked;
      const given = await answer(form);
      form.elements.answer.value = given ? JSON.stringify(given.toJSON()) : "";
    } catch (error) {
      says.textContent = reasons[error.name] ?? "That did not work. Reload the page, then try again.";
      return;
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
})();
