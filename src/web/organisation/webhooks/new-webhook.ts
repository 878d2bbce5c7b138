import * as webhooks from '#modules/operations/webhooks';
import { html } from '../../serving/html.ts';
import { showNarrow, type Page } from '../../serving/page.ts';
import { renderForm } from '../../parts/form.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { buildEventGroup, buildSecretField, buildUrlField, readEvents } from './fields.ts';
import { showSecret } from './secret-shown.ts';

/** Adds a webhook. Its secret is shown once, in reply to the form. */
export const newWebhookPage: Page = {
  show: async (visit) => {
    const { newWebhook: texts, forms } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, texts.title);
    const content = html`${renderForm(visit, {
      button: texts.button,
      fields: [buildUrlField(visit), buildSecretField(visit)],
      groups: [await buildEventGroup(visit, [])],
      after: html`<a href="/app/webhooks">${forms.cancel}</a>`,
    })}`;
    return showNarrow({ title: texts.title }, content, {
      back: ['/app/webhooks', visit.texts.webhooks.back],
    });
  },
  actions: {
    send: async (visit, fields) => {
      const { url = '', secret = '' } = fields;
      const created = await visit.call(webhooks.createSubscription, {
        url: url.trim(),
        events: await readEvents(visit, fields),
        ...(secret !== '' && { secret }),
      });
      return showSecret(visit, visit.texts.newWebhook.createdTitle, created);
    },
  },
};
