// Every page works without this file. It answers the assessment by keys, sends a form once, copies links, names the places of sliders, and loads a page again that waits for a task.

/** A second click would send the form again; the service would ignore it, but the visitor should see that the first one works. */
document.addEventListener('submit', ({ target, submitter }) => {
  if (target.dataset.sent) return;
  target.dataset.sent = 'true';
  // A disabled button would not be part of the form that is being sent.
  setTimeout(() => {
    for (const button of target.querySelectorAll('button')) button.disabled = true;
    submitter?.classList.add('busy');
  });
});

/** A page that comes back from the browser's memory may send its form again. */
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

/** Keys press the button or open the link that names them: data-key="1". */
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest('input, select, textarea')) return;
  const found = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!found) return;
  event.preventDefault();
  found.click();
});

/** Buttons that copy a text are visible only where this works: data-copy="https://…". */
for (const button of navigator.clipboard ? document.querySelectorAll('[data-copy]') : []) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.copied;
  });
}

/** A page that waits for a task loads itself again or goes on, but not while the visitor writes. */
const { refreshSeconds, refreshTo } = document.body.dataset;
if (refreshTo) setTimeout(() => location.assign(refreshTo), refreshSeconds * 1000);
else if (refreshSeconds)
  setInterval(() => {
    if (document.activeElement?.matches('input, select, textarea')) return;
    location.reload();
  }, refreshSeconds * 1000);

/** A slider shows its place in words: the first one for zero only, and the others for equal parts of the rest. */
const showPlace = (slider) => {
  const words = slider.dataset.words.split('|');
  const word = words[Math.ceil(slider.value * (words.length - 1))];
  slider.setAttribute('aria-valuetext', word);
  slider.nextElementSibling.textContent = word;
};
for (const slider of document.querySelectorAll('[data-words]')) showPlace(slider);
document.addEventListener('input', ({ target }) => target.dataset.words && showPlace(target));

/** A form whose answers are saved as they come: data-saves names the action that keeps what is there. Pressing its button saves them in any case. */
document.addEventListener('change', async ({ target }) => {
  const form = target.closest('form[data-saves]');
  if (!form) return;
  const fields = new URLSearchParams(new FormData(form));
  fields.set('action', form.dataset.saves);
  // What is sent by the button must not be followed by an older saving.
  const stopping = new AbortController();
  form.addEventListener('submit', () => stopping.abort(), { once: true });
  const { signal } = stopping;
  const reply = await fetch(form.getAttribute('action'), {
    method: 'POST',
    body: fields,
    redirect: 'manual',
    signal,
  }).catch(() => null);
  const saved = reply?.type === 'opaqueredirect';
  form.querySelector('output').textContent = saved ? form.dataset.saved : form.dataset.unsaved;
});
