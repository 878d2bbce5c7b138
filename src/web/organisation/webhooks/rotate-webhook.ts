import * as webhooks from '#modules/operations/webhooks';
import path from 'node:path';
import { renderCopyButton } from '../../serving/copy-button.ts';
import { requireRecent } from '../../account/require-recent.ts';
import { html, type Html } from '../../serving/html.ts';
import { showNarrow, type Page, type View, type Visit } from '../../serving/page.ts';
import { renderAddress } from '../../parts/address.ts';
import { renderTicks } from '../../parts/disclosure.ts';
import { renderForm } from '../../parts/form.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { buildSecretField, readSubscription } from './fields.ts';
import { readFileSync } from 'node:fs';

const usual_overlap = '86400';

/** Gives a webhook a new secret, with an overlap in which both sign. */
export const rotateWebhookPage: Page = {
  show: async (visit) => {
    const { rotateWebhook: texts, forms } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, texts.title);
    requireRecent(visit);
    const { id, url } = await readSubscription(visit);
    const content = html`<p class="address"><code>${renderAddress(url)}</code></p>
      <p class="lead">${texts.lead}</p>
      ${renderTicks(texts.steps)}
      ${renderForm(visit, {
        button: texts.button,
        fields: [
          {
            name: 'overlap_seconds',
            label: texts.overlap,
            look: 'radio',
            value: usual_overlap,
            options: Object.entries(texts.overlaps),
          },
          buildSecretField(visit),
        ],
        after: html`<a href="/app/webhooks/${id}">${forms.cancel}</a>`,
      })}`;
    return showNarrow({ title: texts.title }, content);
  },
  actions: {
    send: async (visit, { overlap_seconds = '', secret = '' }) => {
      const rotated = await visit.call(webhooks.rotateSecret, {
        subscription_id: visit.params['subscription_id'] ?? '',
        overlap_seconds: Number(overlap_seconds),
        ...(secret !== '' && { secret }),
      });
      return showSecret(visit, visit.texts.newWebhook.rotatedTitle, rotated);
    },
  },
};

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
    <p>${renderCopyButton(text, texts)}</p>`;
}
