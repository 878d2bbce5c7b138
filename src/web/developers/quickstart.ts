import type { ApiRow } from '#lib/api-row.ts';
import { renderFacts } from '../parts/facts.ts';
import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';
import { renderCopied } from '../organisation/webhooks/rotate-webhook.ts';
import type { ServiceKey } from './key-owners.ts';

/** A key as the quickstart needs it. `key` exists only in the reply that created or rotated it. */
type StartedKey = Pick<ServiceKey, 'id' | 'kind' | 'hint' | 'permissions'> & { readonly key?: string };

/** Renders the first steps of a program with a key: in the shell, with curl, in TypeScript and in Python. */
export function renderQuickstart(visit: Visit, key: StartedKey): Html {
  const { quickstart: texts } = visit.texts;
  const { publicUrl } = visit;
  const row = selectFirstRow(visit.rows, key.permissions);
  return html`<section class="after spaced">
    <h2>${texts.title}</h2>
    ${key.kind === 'public_key' && renderExchange(visit, key)}
    <h3>${texts.shell}</h3>
    <p class="small quiet">${describeSecret(visit, key)}</p>
    ${renderCopied(visit, `export TESSERA_URL=${publicUrl}\nexport TESSERA_KEY=${writeSecret(key)}`)}
    ${row ? renderPrograms(visit, row) : html`<p>${texts.noRow}</p>`}
  </section>`;
}

function describeSecret({ texts: { quickstart: texts } }: Visit, { kind, key }: StartedKey): string {
  if (kind === 'public_key') return texts.tokenLead;
  return key === undefined ? texts.placeholderLead : texts.shellLead;
}

/** The secret while it is there, and afterwards how it begins and ends. */
function writeSecret({ kind, key, hint }: StartedKey): string {
  if (key !== undefined) return key;
  return kind === 'public_key' ? 'tst_…' : `tsk_…${hint}`;
}

/** Where and as whom a program exchanges its assertions for tokens. */
function renderExchange({ texts: { quickstart: texts }, publicUrl }: Visit, { id }: StartedKey): Html {
  return html`<p>${texts.exchangeLead}</p>
    ${renderFacts(
      [
        [texts.clientId, html`<code>${id}</code>`],
        [texts.tokenEndpoint, html`<code>${publicUrl}/oauth/token</code>`],
        [texts.audience, html`<code>${publicUrl}</code>`],
        [texts.method, html`<code>private_key_jwt</code>`],
      ],
      'rows addresses',
    )}`;
}

/** Most programs begin with these. */
const usualRows: ReadonlySet<string> = new Set(['GET /orgs/me/jobs', 'GET /operator/health']);

/** Selects the row that a program can try first: one that reads and needs no id. */
export function selectFirstRow(rows: readonly ApiRow[], permissions: readonly string[]): ApiRow | undefined {
  const simple = rows.filter(({ name }) => /^GET [^{]+$/.test(name) && permissions.includes(name));
  return simple.find(({ name }) => usualRows.has(name)) ?? simple[0];
}

function renderPrograms(visit: Visit, { path, operation }: ApiRow): Html {
  const { quickstart: texts } = visit.texts;
  const address = `${visit.publicUrl}/api/v1${path}`;
  const curl = `curl -H "Authorization: Bearer $TESSERA_KEY" ${address}`;
  const typescript = `import { createClient } from '@tessera/client';

const client = createClient({ url: '${visit.publicUrl}', token: process.env.TESSERA_KEY });
console.log(await client.${operation}());`;
  const python = `import os, urllib.request

headers = {"Authorization": "Bearer " + os.environ["TESSERA_KEY"]}
request = urllib.request.Request("${address}", headers=headers)
print(urllib.request.urlopen(request).read().decode())`;
  return html`<h3>curl</h3>
    ${renderCopied(visit, curl)}
    <h3>TypeScript</h3>
    <p class="small quiet">${texts.typescriptLead}</p>
    ${renderCopied(visit, typescript)}
    <h3>Python</h3>
    ${renderCopied(visit, python)}`;
}
