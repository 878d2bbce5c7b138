import * as webhooks from '#modules/operations/webhooks';
import { html } from '../../serving/html.ts';
import { goTo, showView, type Page } from '../../serving/page.ts';
import { renderAddress } from '../../parts/address.ts';
import { renderConsequences } from '../../parts/disclosure.ts';
import { renderForm } from '../../parts/form.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { readSubscription } from './fields.ts';

/** Deletes a webhook, after its consequences. */
export const deleteWebhookPage: Page = {
  show: async (visit) => {
    const { deleteWebhook: texts, forms } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, texts.title);
    const { id, url } = await readSubscription(visit);
    const content = html`<div class="narrow">
      <h1>${texts.title}</h1>
      <p class="address"><code>${renderAddress(url)}</code></p>
      ${renderConsequences(texts.consequences)}
      <p>${texts.instead}</p>
      ${renderForm(visit, {
        button: texts.button,
        look: 'danger',
        after: html`<a href="/app/webhooks/${id}">${forms.cancel}</a>`,
      })}
    </div>`;
    return showView({ title: texts.title, layout: 'app', content });
  },
  actions: {
    send: async ({ call, params }) => {
      await call(webhooks.deleteSubscription, { subscription_id: params['subscription_id'] ?? '' });
      return goTo('/app/webhooks', 'webhookDeleted');
    },
  },
};
