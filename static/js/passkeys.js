// Asks the browser for a passkey with a challenge of the server, and sends its answer as a form.
(() => {
  const api = globalThis.PublicKeyCredential;
  if (!api?.parseCreationOptionsFromJSON || !api.parseRequestOptionsFromJSON) return;
  const ask = {
    create: (options) => navigator.credentials.create({ publicKey: api.parseCreationOptionsFromJSON(options) }),
    get: (options) => navigator.credentials.get({ publicKey: api.parseRequestOptionsFromJSON(options) }),
  };

  const challenge = (form) => {
    const token = form.querySelector("[name=csrf_token]").value;
    return fetch(form.dataset.challenge, { method: "POST", headers: { "X-CSRFToken": token } }).catch(() => {
      throw Object.assign(new Error(), { name: "Unreachable" });
    });
  };

  const answer = async (form) => {
    const response = await challenge(form);
    if (response.status === 401) return null; // the form itself then leads to the page that asks for the password
    if (!response.ok || response.redirected) throw new Error();
    return ask[form.dataset.passkey](await response.json());
  };

  const send = async (form) => {
    if ("asking" in form.dataset) return; // the browser's own window is open
    form.dataset.asking = "";
    const says = form.querySelector("[data-passkey-says]");
    says.textContent = "";
    try {
      const stay = document.getElementById("stay");
      if (stay) form.elements.stay.disabled = !stay.checked;
      const credential = await answer(form);
      form.elements.answer.value = credential ? JSON.stringify(credential.toJSON()) : "";
    } catch (error) {
      says.textContent = says.dataset[`text${error.name}`] ?? says.dataset.textFailed;
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
  // The user was adding a passkey when the page asked for the password: continue.
  const begun = document.querySelector("[data-confirmed]") && document.querySelector("[data-passkey=create][data-unsaved]");
  if (begun) {
    begun.querySelector("button").focus();
    send(begun);
  }
})();
