import { readFileSync } from 'node:fs';
import path from 'node:path';
import { html, type Html } from '../../serving/html.ts';
import { showNarrow, type View, type Visit } from '../../serving/page.ts';

/** docs/webhooks.md shows the same code, and the receiver of the tests uses it. */
const verification_code = readFileSync(
  path.join(import.meta.dirname, '../../assets/verify-webhook.js'),
  'utf8',
);

/** Shows a secret. It exists only in the reply to the form. */
export function showSecret(
  visit: Visit,
  title: string,
  { id, secret }: { readonly id: string; readonly secret: string },
): View {
  const { newWebhook: texts } = visit.texts;
  const content = html`<p class="lead" role="status">${texts.createdLead}</p>
    <h2>${texts.secretLabel}</h2>
    ${renderCopied(visit, secret)}
    <p class="buttons"><a class="button" href="/app/webhooks/${id}">${texts.done}</a></p>
    ${renderVerification(visit)}`;
  return showNarrow({ title }, content);
}

/** Renders the code that verifies a signature, to copy. */
export function renderVerification(visit: Visit): Html {
  const { webhooks: texts } = visit.texts;
  return html`<details class="act">
    <summary>${texts.code}</summary>
    <div>
      <p class="small quiet">${texts.codeLead}</p>
      ${renderCopied(visit, verification_code)}
    </div>
  </details>`;
}

/** Renders a text to copy: with a button if scripts run, and otherwise selected by hand. */
export function renderCopied({ texts: { webhooks: texts } }: Visit, text: string): Html {
  return html`<pre class="copied" tabindex="0"><code>${text}</code></pre>
    <p>
      <button class="button quiet" type="button" data-copy="${text}" data-copied="${texts.copied}" hidden>
        ${texts.copy}
      </button>
    </p>`;
}
