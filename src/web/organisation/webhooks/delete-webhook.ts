import * as webhooks from '#modules/operations/webhooks';
import { html } from '../../serving/html.ts';
import { sendForm, showNarrow, type Page } from '../../serving/page.ts';
import { renderAddress } from '../../parts/address.ts';
import { renderTicks } from '../../parts/disclosure.ts';
import { renderForm } from '../../parts/form.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { readSubscription } from './fields.ts';

/** Deletes a webhook, after its consequences. */
export const deleteWebhookPage: Page = {
  show: async (visit) => {
    const { deleteWebhook: texts, forms } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, texts.title);
    const { id, url } = await readSubscription(visit);
    const content = html`<p class="address"><code>${renderAddress(url)}</code></p>
      ${renderTicks(texts.consequences)}
      <p>${texts.instead}</p>
      ${renderForm(visit, {
        button: texts.button,
        look: 'danger',
        after: html`<a href="/app/webhooks/${id}">${forms.cancel}</a>`,
      })}`;
    return showNarrow({ title: texts.title }, content);
  },
  actions: {
    send: sendForm(webhooks.deleteSubscription, '/app/webhooks', 'webhookDeleted'),
  },
};
