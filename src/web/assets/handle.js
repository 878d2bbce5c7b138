// Says while a handle is typed whether a new account can have it. Without this file, the next page says it.

const field = document.querySelector('[data-handle] input[name="handle"]');
const said = document.querySelector('.handle-state');
const words = field.form.dataset;
// As the service checks it.
const form = /^[a-z0-9][a-z0-9_-]{1,30}[a-z0-9]$/;
const state = { timer: 0, asked: '' };

field.addEventListener('input', () => {
  clearTimeout(state.timer);
  const handle = field.value.trim().replace(/^@/, '').toLowerCase();
  state.asked = handle;
  show('', '');
  if (handle.length >= 3) state.timer = setTimeout(() => void ask(handle), 400);
});

async function ask(handle) {
  if (!form.test(handle)) return show(words.wrong, 'no');
  show(words.checking, '');
  try {
    const reply = await fetch(`/api/v1/auth/handles/${encodeURIComponent(handle)}`);
    if (!reply.ok) throw new Error(String(reply.status));
    const { is_available, reason } = await reply.json();
    if (state.asked !== handle) return;
    const word = is_available ? words.free : reason === 'reserved' ? words.reserved : words.taken;
    show(`@${handle} ${word}`, is_available ? 'yes' : 'no');
  } catch {
    // The next page says it.
    if (state.asked === handle) show('', '');
  }
}

function show(text, look) {
  said.textContent = text;
  said.dataset.look = look;
}
