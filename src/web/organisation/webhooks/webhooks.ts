import * as webhooks from '#modules/operations/webhooks';
import { html, type Html } from '../../serving/html.ts';
import { showView, type Page, type Visit } from '../../serving/page.ts';
import { renderAddress } from '../../parts/address.ts';
import { renderFacts } from '../../parts/facts.ts';
import { isAdmin } from '../admins-only.ts';
import {
  describeTimes,
  explainState,
  nameEvents,
  renderHealthChart,
  renderState,
  type Delivery,
  type Subscription,
} from './health.ts';

/** An organisation has at most twenty subscriptions, so one page has all. */
const subscriptions_max = 20;
const latest_max = 30;

/** The webhooks of the organisation, each with the health of its server. */
export const webhooksPage: Page = {
  show: async (visit) => {
    const { webhooks: texts } = visit.texts;
    const [{ data: subscriptions }, { events }] = await Promise.all([
      visit.call(webhooks.listSubscriptions, { limit: subscriptions_max }),
      visit.call(webhooks.listEvents),
    ]);
    const latest = await Promise.all(
      subscriptions.map(({ id }) =>
        visit.call(webhooks.listDeliveries, { subscription_id: id, limit: latest_max }),
      ),
    );
    const content = html`<header class="head with-action">
        <div>
          <h1>${texts.title}</h1>
          <p class="lead">${texts.lead}</p>
        </div>
        ${isAdmin(visit) && html`<p class="buttons"><a class="button" href="/app/webhooks/new">${texts.add}</a></p>`}
      </header>
      ${
        subscriptions.length === 0
          ? html`<p>${texts.empty}</p>`
          : html`<ul class="list endpoints">
              ${subscriptions.map((subscription, place) => renderEndpoint(visit, subscription, { latest: latest[place]!.data, all: events.length }))}
            </ul>`
      }
      <p class="after quiet">${texts.guide} <a href="/docs">${texts.guideLink}</a></p>`;
    return showView({ title: texts.title, layout: 'app', content });
  },
};

function renderEndpoint(
  visit: Visit,
  subscription: Subscription,
  { latest, all }: { readonly latest: readonly Delivery[]; readonly all: number },
): Html {
  const { webhooks: texts } = visit.texts;
  const { last_failure, next_attempt } = describeTimes(visit, latest);
  const explanation = explainState(visit, subscription, latest);
  return html`<li>
    <p class="endpoint">
      <a href="/app/webhooks/${subscription.id}"><strong>${renderAddress(subscription.url)}</strong></a>
      ${renderState(visit, subscription, latest)}
    </p>
    ${explanation !== undefined && html`<p class="small">${explanation}</p>`}
    ${renderHealthChart(visit, latest)}
    ${renderFacts([
      [texts.events, nameEvents(visit, subscription, all)],
      [texts.lastFailure, last_failure],
      [texts.nextAttempt, next_attempt],
    ])}
  </li>`;
}
