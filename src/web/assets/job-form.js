// The form of a job: whom it reaches, and texts that are too long. Everything works without it.

/** A pasted text that is too long to be sent is refused at once, because sending it would lose the page: data-bytes-max="250000". */
document.addEventListener('input', ({ target }) => {
  const { bytesMax, tooLong } = target.dataset;
  if (!bytesMax) return;
  const isTooLong = new URLSearchParams([['', target.value]]).toString().length > bytesMax;
  target.setCustomValidity(isTooLong ? tooLong : '');
  if (isTooLong) target.reportValidity();
});

/** Whom a job reaches follows its sliders. A request waits until they rest, and the one before it is given up. */
const reach = document.querySelector('[data-reach]');
if (reach?.closest('form')) {
  const form = reach.closest('form');
  const starts = reach.dataset.reachFields.split(' ');
  const answer = reach.querySelector('[aria-live]');
  let waiting;
  let request = new AbortController();
  const ask = async () => {
    request = new AbortController();
    answer.setAttribute('aria-busy', 'true');
    const asked = [...new FormData(form)].filter(([name]) => starts.some((start) => name.startsWith(start)));
    try {
      const reply = await fetch(`${reach.dataset.reach}?${new URLSearchParams(asked)}`, {
        signal: request.signal,
      });
      const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
      const found = page.querySelector('[data-reach] [aria-live]');
      if (found) answer.replaceChildren(...found.childNodes);
      answer.removeAttribute('aria-busy');
    } catch (error) {
      // The next request says more than one that was given up, and without a network the last answer stays.
      if (error.name !== 'AbortError') answer.removeAttribute('aria-busy');
    }
  };
  const askSoon = () => {
    clearTimeout(waiting);
    request.abort();
    waiting = setTimeout(ask, 400);
  };
  const handleInput = ({ target }) => starts.some((start) => target.name?.startsWith(start)) && askSoon();
  form.addEventListener('input', handleInput);
  form.addEventListener('change', handleInput);
  if (!answer.querySelector('li')) askSoon();
}
