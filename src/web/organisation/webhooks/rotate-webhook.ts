import * as webhooks from '#modules/operations/webhooks';
import { html } from '../../serving/html.ts';
import { showNarrow, type Page } from '../../serving/page.ts';
import { renderAddress } from '../../parts/address.ts';
import { renderTicks } from '../../parts/disclosure.ts';
import { renderForm } from '../../parts/form.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { buildSecretField, readSubscription } from './fields.ts';
import { showSecret } from './secret-shown.ts';

const usual_overlap = '86400';

/** Gives a webhook a new secret, with an overlap in which both sign. */
export const rotateWebhookPage: Page = {
  show: async (visit) => {
    const { rotateWebhook: texts, forms } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, texts.title);
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
