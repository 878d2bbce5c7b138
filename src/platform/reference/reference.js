/* Runs in the browser: the form that gets a token, and the forms that send requests. */

const tokenForm = document.querySelector('#token-form');
const tokenInput = document.querySelector('#token-input');
const tokenStatus = document.querySelector('#token-status');

tokenForm.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { email, password, role, name } = Object.fromEntries(new FormData(tokenForm));
  const isNew = event.submitter?.value !== 'login';
  const content = isNew ? { email, password, role, ...(name !== '' && { name }) } : { email, password };
  const reply = await sendRequest(
    'POST',
    `/api/v1/auth/${isNew ? 'register' : 'login'}`,
    {
      'content-type': 'application/json',
    },
    JSON.stringify(content),
  );
  showStatus(reply);
});

function showStatus({ ok, body }) {
  const fields = body ?? {};
  if (ok && fields.access_token) {
    tokenInput.value = fields.access_token;
    tokenStatus.className = 'good';
    tokenStatus.textContent = `Logged in as ${fields.user.email}. Open an endpoint below and send a request.`;
    return;
  }
  tokenStatus.className = 'bad';
  tokenStatus.textContent = fields.mfa_required
    ? 'MFA is enabled for this account. Send its ticket and your code with POST /auth/mfa/authenticate below, and paste the access token here.'
    : (fields.detail ?? 'The service did not reply.');
}

for (const form of document.querySelectorAll('form.try'))
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const output = form.querySelector('.reply');
    output.textContent = 'Sending …';
    const { path, headers, body } = readRequest(form);
    const reply = await sendRequest(form.dataset.method, path, headers, body);
    output.replaceChildren(...describeReply(form.dataset.method, path, reply));
  });

/** Reads the path with its fields, the headers and the body of a form. Empty fields are left out. */
function readRequest(form) {
  let { path } = form.dataset;
  const query = new URLSearchParams();
  const headers = {};
  for (const { name, value, dataset } of form.querySelectorAll('input')) {
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '' && dataset.in === 'query') query.set(name, value);
    else if (value !== '') headers[name] = value;
  }
  const body = form.elements.namedItem('body')?.value;
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (tokenInput.value !== '') headers.authorization = `Bearer ${tokenInput.value.trim()}`;
  return { path: query.size > 0 ? `${path}?${query}` : path, headers, body };
}

async function sendRequest(method, path, headers, body) {
  try {
    const response = await fetch(path, { method, headers, body });
    const text = await response.text();
    return { ok: response.ok, status: response.status, text, body: parseJson(text) };
  } catch (error) {
    return { ok: false, status: 0, text: String(error), body: undefined };
  }
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeReply(method, path, { ok, status, text, body }) {
  const line = document.createElement('p');
  line.className = ok ? 'good' : 'bad';
  line.textContent = `${status} ← ${method} ${path}`;
  const content = document.createElement('pre');
  content.tabIndex = 0;
  content.setAttribute('aria-label', 'Reply');
  content.textContent = body === undefined ? text : JSON.stringify(body, null, 2);
  return text === '' ? [line] : [line, content];
}

/* A link to an endpoint opens it. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.tagName !== 'DETAILS') return;
  target.open = true;
  target.scrollIntoView();
}
addEventListener('hashchange', openTarget);
openTarget();
