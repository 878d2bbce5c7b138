import * as webhooks from '#modules/operations/webhooks';
import { html, type Html } from '../../serving/html.ts';
import { goTo, readCursor, sendForm, showView, type Page, type Visit } from '../../serving/page.ts';
import { renderAddress } from '../../parts/address.ts';
import { renderDisclosure } from '../../parts/disclosure.ts';
import { renderFacts } from '../../parts/facts.ts';
import { renderForm } from '../../parts/form.ts';
import { isAdmin } from '../admins-only.ts';
import { readDeliveryFilter, renderDeliveries } from './delivery-list.ts';
import { nameTarget, readSubscription } from './fields.ts';
import {
  describeTimes,
  explainState,
  nameEvents,
  renderHealthChart,
  renderLastReply,
  renderState,
  type Delivery,
  type Subscription,
} from './health.ts';
import { renderVerification } from './rotate-webhook.ts';

const latest_max = 30;
const listed_max = 25;

/** One webhook: how its server is, what can be done, and its deliveries. */
export const webhookPage: Page = {
  show: async (visit) => {
    const { webhooks: texts } = visit.texts;
    const subscription = await readSubscription(visit);
    const { id: subscription_id, url } = subscription;
    const filter = readDeliveryFilter(visit);
    const [latest, listed, { events }] = await Promise.all([
      visit.call(webhooks.listDeliveries, { subscription_id, limit: latest_max }),
      visit.call(webhooks.listDeliveries, {
        subscription_id,
        limit: listed_max,
        ...filter,
        ...readCursor(visit),
      }),
      visit.call(webhooks.listEvents),
    ]);
    const content = html`<p class="back"><a href="/app/webhooks">${texts.back}</a></p>
      <header class="head">
        <h1 class="address">${renderAddress(nameTarget(url))}</h1>
        <p class="address"><code>${renderAddress(url)}</code></p>
      </header>
      ${renderHealth(visit, subscription, { latest: latest.data, all: events.length })}
      ${isAdmin(visit) ? renderActs(visit, subscription) : html`<p class="quiet">${texts.viewerNote}</p>`}
      ${renderDeliveries(visit, { subscription_id, listed, filter, events })} ${renderVerification(visit)}`;
    return showView({ title: `${texts.title}: ${nameTarget(url)}`, layout: 'app', content });
  },
  actions: {
    pause: sendForm(webhooks.updateSubscription, '/app/webhooks/{subscription_id}', 'webhookPaused', {
      is_active: false,
    }),
    enable: sendForm(webhooks.updateSubscription, '/app/webhooks/{subscription_id}', 'webhookEnabled', {
      is_active: true,
    }),
    test: sendForm(webhooks.sendTest, '/app/webhooks/{subscription_id}/deliveries/{id}', 'webhookTested'),
    recover: async ({ call, params }, { since = '' }) => {
      const subscription_id = params['subscription_id'] ?? '';
      // The operation refuses what is not a time.
      await call(webhooks.recoverDeliveries, { subscription_id, since: `${since}T00:00:00.000Z` });
      return goTo(`/app/webhooks/${subscription_id}`, 'webhookRecovered');
    },
  },
};

function renderHealth(
  visit: Visit,
  subscription: Subscription,
  { latest, all }: { readonly latest: readonly Delivery[]; readonly all: number },
): Html {
  const { webhooks: texts } = visit.texts;
  const { last_failure, next_attempt } = describeTimes(visit, latest);
  const until = subscription.previous_secret_expires_at;
  const isOverlapping = until !== null && new Date(until) > visit.now;
  return html`<section class="panel" aria-labelledby="health">
    <h2 id="health">${texts.health} ${renderState(visit, subscription, latest)}</h2>
    <p>${explainState(visit, subscription, latest)}</p>
    ${renderHealthChart(visit, latest)}
    ${renderFacts([
      [texts.events, nameEvents(visit, subscription, all)],
      [texts.lastFailure, last_failure],
      [texts.lastReply, subscription.failure_count > 0 ? renderLastReply(visit, latest) : undefined],
      [texts.nextAttempt, next_attempt],
    ])}
    ${isOverlapping && html`<p class="small">${texts.secretUntil(visit.format.formatTime(until))}</p>`}
  </section>`;
}

function renderActs(visit: Visit, { id, is_active }: Subscription): Html {
  const { webhooks: texts } = visit.texts;
  const yesterday = new Date(visit.now.getTime() - 86_400_000).toISOString().slice(0, 10);
  const links = [
    [`/app/webhooks/${id}/edit`, texts.edit],
    [`/app/webhooks/${id}/rotate`, texts.rotate],
    [`/app/webhooks/${id}/delete`, texts.remove],
  ] as const;
  return html`<div class="acts">
      ${is_active && renderForm(visit, { action: 'test', button: texts.test })}
      ${renderForm(visit, is_active ? { action: 'pause', button: texts.pause, look: 'quiet' } : { action: 'enable', button: texts.enable })}
      ${links.map(([link, label]) => html`<a href="${link}">${label}</a>`)}
    </div>
    ${
      is_active &&
      renderDisclosure(
        texts.recover,
        html`<p>${texts.recoverLead}</p>
          ${renderForm(visit, {
            action: 'recover',
            button: texts.recover,
            look: 'quiet',
            fields: [{ name: 'since', label: texts.since, type: 'date', value: yesterday }],
          })}`,
        visit.form.action === 'recover',
      )
    }`;
}
