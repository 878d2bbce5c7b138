import * as webhooks from '#modules/operations/webhooks';
import { html } from '../../serving/html.ts';
import { goTo, showNarrow, type Page } from '../../serving/page.ts';
import { renderForm } from '../../parts/form.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { buildEventGroup, buildUrlField, readEvents, readSubscription } from './fields.ts';

/** Changes the address and the events of a webhook. */
export const editWebhookPage: Page = {
  show: async (visit) => {
    const { editWebhook: texts, forms } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, texts.title);
    const { id, url, events } = await readSubscription(visit);
    const content = html`${renderForm(visit, {
      button: texts.button,
      fields: [buildUrlField(visit, url)],
      groups: [await buildEventGroup(visit, events)],
      after: html`<a href="/app/webhooks/${id}">${forms.cancel}</a>`,
    })}`;
    return showNarrow({ title: texts.title }, content);
  },
  actions: {
    send: async (visit, fields) => {
      const subscription_id = visit.params['subscription_id'] ?? '';
      const events = await readEvents(visit, fields);
      await visit.call(webhooks.updateSubscription, {
        subscription_id,
        url: (fields['url'] ?? '').trim(),
        events,
      });
      return goTo(`/app/webhooks/${subscription_id}`, 'webhookSaved');
    },
  },
};
