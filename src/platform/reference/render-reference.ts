import { escapeHtml } from '#lib/text/escape-html.ts';
import { describeType, listFields, type Node } from '#platform/reference/list-fields.ts';

type Parameter = Node & {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required: boolean;
  readonly schema: Node;
};
type Content = Readonly<Record<string, { readonly schema: Node; readonly example?: unknown }>>;
type Reply = {
  readonly description: string;
  readonly headers?: Node;
  readonly content?: Content;
};
type Described = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Reply | { readonly $ref: string }>>;
};
type Listed = Described & { readonly method: string; readonly path: string };

/** The parts of an OpenAPI document that the page shows. */
export type ReferenceDocument = {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Node>>;
    readonly responses: Readonly<Record<string, Reply>>;
  };
};

/**
 * Renders the API reference as one page that can be read without scripts. `reference.js` adds the form that gets a token, and the buttons
 * that send requests.
 */
export function renderReference(document: ReferenceDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]): Listed => ({
      ...each,
      method: method.toUpperCase(),
      path,
    })),
  );
  const groups = document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ tags }) => tags[0] === tag.name),
  }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tessera API</title>
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/reference.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<h1>Tessera API</h1>
<p>${escapeHtml(document.info.description)}</p>
<p><a href="/openapi.json">OpenAPI document</a> · <a href="/docs/problems">All error codes</a></p>
</header>
<nav aria-label="Groups of endpoints"><ul>
<li><a href="#token">Get a token</a></li>
${groups.map(({ name, operations: { length } }) => `<li><a href="#${name}">${name}</a> <span>${length}</span></li>`).join('\n')}
</ul></nav>
<main id="content">
${tokenSection}
${groups.map((group) => renderGroup(group, document)).join('\n')}
</main>
</body>
</html>
`;
}

const tokenSection = `<section id="token" aria-labelledby="token-heading">
<h2 id="token-heading">Get a token</h2>
<p>Register an account or log in. Every call that you send from this page then uses the token, which this page keeps only in memory.</p>
<form id="token-form">
<label>Email address <input name="email" type="email" autocomplete="username" required maxlength="254"></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required maxlength="256" aria-describedby="password-rule"></label>
<label>Role of a new account <select name="role"><option value="member">member</option><option value="org_admin">org_admin</option></select></label>
<label>Name of a new account <input name="name" autocomplete="name" maxlength="200" aria-describedby="name-rule"></label>
<p id="name-rule">The name is yours or, for an org_admin, that of the new organisation, and then required.</p>
<p id="password-rule">A new password has at least twelve characters with an upper-case and a lower-case letter, a digit and a special character.</p>
<p class="buttons"><button name="action" value="register">Register</button> <button name="action" value="login">Log in</button></p>
</form>
<label>Access token <input id="token-input" type="text" autocomplete="off" spellcheck="false" placeholder="Filled in by the form, or paste one"></label>
<p id="token-status" role="status"></p>
<noscript><p>The forms of this page need JavaScript. With a terminal: <code>curl -H 'content-type: application/json' -d '{"email":"…","password":"…"}' /api/v1/auth/register</code></p></noscript>
</section>`;

function renderGroup(
  {
    name,
    description,
    operations,
  }: { readonly name: string; readonly description: string; readonly operations: readonly Listed[] },
  document: ReferenceDocument,
): string {
  return `<section id="${name}" aria-labelledby="${name}-heading">
<h2 id="${name}-heading">${name}</h2>
<p>${escapeHtml(description)}</p>
${operations.map((operation) => renderOperation(operation, document)).join('\n')}
</section>`;
}

function renderOperation(operation: Listed, document: ReferenceDocument): string {
  const {
    operationId,
    method,
    path,
    summary,
    description,
    security,
    parameters = [],
    requestBody,
  } = operation;
  const id = escapeHtml(operationId);
  const [media_type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const access = security.length > 0 ? 'Needs a token.' : 'Needs no token.';
  return `<details id="${id}" class="operation">
<summary><h3><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path)}</code> <span class="title">${escapeHtml(summary)}</span></h3></summary>
<p>${escapeHtml(description)} ${access}</p>
${renderTryForm(operation, media_type, body?.example)}
${parameters.length > 0 ? `<h4>Parameters</h4>${renderTable(parameters.map((each) => [each.name, `${each.in}, ${describeType(each.schema)}`, each.required, each.description ?? '', each['example']]))}` : ''}
${body ? `<h4>Request: ${media_type}</h4>${renderFields(body.schema, document)}` : ''}
<h4>Replies</h4>
${Object.entries(operation.responses)
  .map(([status, reply]) => renderReply(status, reply, document))
  .join('\n')}
</details>`;
}

function renderTryForm(
  { operationId, method, path, summary, parameters = [] }: Listed,
  media_type: string | undefined,
  example: unknown,
): string {
  // The browser keeps cookies and forms of other sites to itself, so that this page cannot send them.
  if (media_type === 'application/x-www-form-urlencoded') return '';
  const fields = parameters
    .filter((each) => each.in !== 'cookie')
    .map(({ name, in: where, required, ...rest }) => {
      const value = where === 'path' ? formatValue(rest['example']) : '';
      return `<label>${escapeHtml(name)} <input data-in="${where}" name="${escapeHtml(name)}" value="${escapeHtml(value)}" placeholder="${escapeHtml(formatValue(rest['example']))}"${required ? ' required' : ''} autocomplete="off"></label>`;
    });
  const body =
    media_type === undefined
      ? ''
      : `<label>Body <textarea name="body" spellcheck="false" rows="${Math.min(16, formatSample(example).split('\n').length)}">${escapeHtml(formatSample(example))}</textarea></label>`;
  const label = escapeHtml(summary);
  return `<form class="try" data-method="${method}" data-path="${escapeHtml(path)}" aria-label="Try: ${label}" id="try-${escapeHtml(operationId)}">
${fields.join('\n')}
${body}
<p class="buttons"><button>Send<span class="hidden">: ${label}</span></button></p>
<div class="reply" role="status"></div>
</form>`;
}

function renderReply(
  status: string,
  reply: Reply | { readonly $ref: string },
  document: ReferenceDocument,
): string {
  const {
    description,
    headers = {},
    content = {},
  } = '$ref' in reply ? document.components.responses[reply.$ref.split('/').at(-1)!]! : reply;
  if (Number(status) >= 400)
    return `<div class="status"><h5>${status}</h5><ul>${description
      .split('\n')
      .map((line) => /^- (\w+): (.*)$/.exec(line) ?? [])
      .map(
        ([, code = '', sentence = '']) =>
          `<li><a href="/docs/problems#${code}">${code}</a>: ${escapeHtml(sentence)}</li>`,
      )
      .join('')}</ul></div>`;
  const [media_type, body] = Object.entries(content)[0] ?? [];
  const named = Object.keys(headers)
    .map((name) => `<code>${escapeHtml(name)}</code>`)
    .join(', ');
  return `<div class="status"><h5>${status}</h5><div><p>${escapeHtml(description)}${media_type ? ` <code>${escapeHtml(media_type)}</code>` : ''}</p>
${body?.example === undefined ? '' : `<pre tabindex="0" aria-label="Sample of the reply">${escapeHtml(formatSample(body.example))}</pre>`}
${body ? renderFields(body.schema, document) : ''}
<p>Headers: ${named}</p></div></div>`;
}

function renderFields(schema: Node, { components }: ReferenceDocument): string {
  const fields = listFields(schema, components.schemas);
  return fields.length === 0
    ? ''
    : renderTable(
        fields.map(({ name, type, required, description, example }) => [
          name,
          type,
          required,
          description,
          example,
        ]),
      );
}

type TableRow = readonly [
  name: string,
  type: string,
  required: boolean,
  description: string,
  example: unknown,
];

function renderTable(rows: readonly TableRow[]): string {
  const cells = rows.map(
    ([name, type, required, description, example]) =>
      `<div><dt><code>${escapeHtml(name)}</code> <span>${escapeHtml(type)}${required ? ', required' : ''}</span></dt><dd>${renderCode(description)}${example === undefined || example === null ? '' : ` <span class="example">Example: <code>${escapeHtml(formatValue(example))}</code></span>`}</dd></div>`,
  );
  return `<dl>${cells.join('\n')}</dl>`;
}

function formatSample(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

/** Renders a sentence whose code stands between backticks. */
function renderCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>');
}
