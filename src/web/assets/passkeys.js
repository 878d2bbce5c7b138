// Asks the browser to create or use a passkey, and sends the answer in the form that has the options.

const forms = document.querySelectorAll('form[data-passkey]');
const isSupported = Boolean(window.PublicKeyCredential?.parseRequestOptionsFromJSON);
const waiting = { controller: new AbortController() };

for (const form of forms) {
  if (!isSupported) showMessage(form, form.dataset.unsupported);
  form.addEventListener('submit', (event) => void handleSubmit(event, form));
  if (isSupported && 'autofill' in form.dataset) void offerInField(form);
}

/** The first submission asks for the passkey. The second one, with the answer, goes to the server. */
async function handleSubmit(event, form) {
  if (form.elements.passkey.value !== '') return;
  event.preventDefault();
  event.stopPropagation();
  if (!isSupported) return;
  waiting.controller.abort();
  waiting.controller = new AbortController();
  form.querySelector('.passkey-message').hidden = true;
  try {
    send(form, await ask(form, { signal: waiting.controller.signal }));
  } catch (error) {
    if (error.name !== 'AbortError') showMessage(form, describe(error, form));
  }
}

/** Offers passkeys among the suggestions of the field for the email address. */
async function offerInField(form) {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  try {
    send(form, await ask(form, { mediation: 'conditional', signal: waiting.controller.signal }));
  } catch {
    // The visitor has chosen another way, or none.
  }
}

function ask(form, how) {
  const options = JSON.parse(form.dataset.options);
  return form.dataset.passkey === 'create'
    ? navigator.credentials.create({
        ...how,
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
      })
    : navigator.credentials.get({
        ...how,
        publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
      });
}

function send(form, credential) {
  form.elements.passkey.value = JSON.stringify(credential.toJSON());
  form.requestSubmit();
}

function describe({ name }, form) {
  return name === 'InvalidStateError' ? form.dataset.known : form.dataset.cancelled;
}

function showMessage(form, text) {
  const message = form.querySelector('.passkey-message');
  message.textContent = text;
  message.hidden = false;
}

/** A page that the browser brings back has no answer yet. */
addEventListener('pagehide', () => {
  for (const form of forms) form.elements.passkey.value = '';
});
