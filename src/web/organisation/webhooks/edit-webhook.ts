import * as webhooks from '#modules/operations/webhooks';
import { requireRecent } from '../../account/require-recent.ts';
import { html } from '../../serving/html.ts';
import { goTo, showNarrow, type Page } from '../../serving/page.ts';
import { renderForm } from '../../parts/form.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { buildEventGroup, buildUrlField, readEvents, readSubscription, buildSecretField } from './fields.ts';
import { renderAddress } from '../../parts/address.ts';
import { renderTicks } from '../../parts/disclosure.ts';
import { showSecret } from './rotate-webhook.ts';

/** Changes the address and the events of a webhook. */
export const editWebhookPage: Page = {
  show: async (visit) => {
    const { editWebhook: texts, forms } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, texts.title);
    requireRecent(visit);
    const { id, url, events } = await readSubscription(visit);
    const content = html`${renderForm(visit, {
      button: texts.button,
      // A stream has no address that could change.
      fields: new URL(url).host ? [buildUrlField(visit, url)] : [],
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
        ...(fields['url'] !== undefined && { url: fields['url'].trim() }),
        events,
      });
      return goTo(`/app/webhooks/${subscription_id}`, 'webhookSaved');
    },
  },
};

/** Deletes a webhook, after its consequences. */
export const deleteWebhookPage: Page = {
  show: async (visit) => {
    const { deleteWebhook: texts, forms } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, texts.title);
    requireRecent(visit);
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
    send: async ({ call, params }) => {
      await call(webhooks.deleteSubscription, { subscription_id: params['subscription_id'] ?? '' });
      return goTo('/app/webhooks', 'webhookDeleted');
    },
  },
};

/** Adds a webhook. Its secret is shown once, in reply to the form. */
export const newWebhookPage: Page = {
  show: async (visit) => {
    const { newWebhook: texts, forms } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, texts.title);
    requireRecent(visit);
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
