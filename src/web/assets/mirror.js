// Shows the next statement of a first mirror without loading a page. Without this file, each answer loads one.

document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (!form.matches('[data-in-place]') || !document.querySelector('.mirror')) return;
  event.preventDefault();
  void showAddress(`${form.action}?${new URLSearchParams(new FormData(form, submitter))}`, true);
});

/** Going back shows the statement of that address. */
addEventListener('popstate', () => void showAddress(location.href, false));

async function showAddress(address, isNew) {
  try {
    const reply = await fetch(address);
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
    const content = page.querySelector('.mirror');
    // Whatever else comes, such as the end of the hour, is a page of its own.
    if (!reply.ok || !content) return location.assign(address);
    if (isNew) history.pushState(null, '', reply.url);
    const replace = () => replaceContent(content, page.title);
    if (document.startViewTransition && !matchMedia('(prefers-reduced-motion: reduce)').matches)
      document.startViewTransition(replace);
    else replace();
  } catch {
    location.assign(address);
  }
}

function replaceContent(content, title) {
  document.title = title;
  document.querySelector('.mirror').replaceWith(document.adoptNode(content));
  scrollTo(0, 0);
  document.querySelector('.mirror h1').focus();
}
