import * as webhooks from '#modules/operations/webhooks';
import { html, type Html } from '../../serving/html.ts';
import { sendForm, showView, type Page, type Visit } from '../../serving/page.ts';
import { renderAddress } from '../../parts/address.ts';
import { renderFacts } from '../../parts/facts.ts';
import { renderForm } from '../../parts/form.ts';
import { isAdmin } from '../admins-only.ts';
import { renderDeliveryStatus } from './delivery-list.ts';
import { readSubscription } from './fields.ts';
import type { Delivery } from './health.ts';
import { renderCopied } from './rotate-webhook.ts';

const refresh_s = 3;
/** A little longer than the forty seconds after which a lost attempt is repeated. */
const under_way_ms = 45_000;

/** One delivery: what was sent, what the server replied, all attempts, and a replay. */
export const deliveryPage: Page = {
  show: async (visit) => {
    const { delivery: texts, webhooks: words } = visit.texts;
    const { subscription_id = '', delivery_id = '' } = visit.params;
    const [subscription, delivery] = await Promise.all([
      readSubscription(visit),
      visit.call(webhooks.readDelivery, { subscription_id, delivery_id }),
    ]);
    const { event_type, created_at, next_attempt_at, request_body } = delivery;
    const mayReplay = isAdmin(visit) && subscription.is_active;
    const content = html`<p class="back"><a href="/app/webhooks/${subscription_id}">${texts.back}</a></p>
      <header class="head">
        <h1>${event_type}</h1>
        <p>${renderDeliveryStatus(visit, delivery)}</p>
      </header>
      ${renderFacts([
        [words.url, html`<code>${renderAddress(subscription.url)}</code>`],
        [texts.happened, visit.format.formatExactTime(created_at)],
        [
          words.nextAttempt,
          next_attempt_at === null ? words.none : visit.format.formatExactTime(next_attempt_at),
        ],
      ])}
      ${
        mayReplay &&
        html`${renderForm(visit, { action: 'replay', button: texts.replay })}
          <p class="quiet small">${texts.replayLead}</p>`
      }
      ${renderAttempts(visit, delivery)}
      <section class="after">
        <h2>${texts.reply}</h2>
        ${renderReply(visit, delivery)}
      </section>
      <section class="after">
        <h2>${texts.request}</h2>
        <p class="quiet small">${texts.requestLead}</p>
        ${renderFacts(listHeaders(delivery).map(([name, value]) => [name, html`<code>${value}</code>`]))}
        <h3>${texts.body}</h3>
        ${renderCopied(visit, formatBody(request_body))}
      </section>`;
    return showView({
      title: `${texts.title}: ${event_type}`,
      layout: 'app',
      content,
      ...(isUnderWay(visit, delivery) && { refresh_s }),
    });
  },
  actions: {
    replay: sendForm(
      webhooks.replayDelivery,
      '/app/webhooks/{subscription_id}/deliveries/{delivery_id}',
      'webhookReplayed',
    ),
  },
};

/** Whether an attempt is in progress or about to begin, so that the page soon has something new. One that is long overdue waits for a worker. */
function isUnderWay({ now }: Visit, { next_attempt_at }: Delivery): boolean {
  if (next_attempt_at === null) return false;
  return Math.abs(new Date(next_attempt_at).getTime() - now.getTime()) < under_way_ms;
}

/** The headers that are the same for all attempts. */
function listHeaders({ id, event_type }: Delivery): readonly (readonly [name: string, value: string])[] {
  return [
    ['Content-Type', 'application/json'],
    ['X-Service-Event', event_type],
    ['X-Service-Delivery', id],
    ['webhook-id', id],
  ];
}

/** Writes the body in lines. What is sent has neither lines nor spaces. */
function formatBody(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}

function renderReply({ texts: { delivery: texts } }: Visit, { response_excerpt, attempt }: Delivery): Html {
  if (response_excerpt === null) return html`<p>${attempt === 0 ? texts.noAttempts : texts.noReply}</p>`;
  if (response_excerpt === '') return html`<p>${texts.replyEmpty}</p>`;
  return html`<pre class="copied" tabindex="0"><code>${response_excerpt}</code></pre>`;
}

function renderAttempts({ texts, format }: Visit, { attempts }: Delivery): Html {
  const { delivery: words, webhooks: shared } = texts;
  return html`<section class="after">
    <h2>${words.attemptsTitle}</h2>
    ${
      attempts.length === 0
        ? html`<p class="quiet">${words.noAttempts}</p>`
        : html`<ol class="list">
            ${attempts.toReversed().map(
              ({ attempted_at, response_status, duration_ms, error }) =>
                html`<li>
                  <span><strong>${format.formatExactTime(attempted_at)}</strong></span>
                  <span class="tag ${error !== null && 'clay'}"
                    >${response_status === null ? shared.noReply : shared.status_code(response_status)}</span
                  >
                  <span class="quiet small"
                    >${error === null ? words.succeeded : shared.errors[error]}${duration_ms === null ? '' : ` · ${shared.milliseconds(format.formatNumber(duration_ms))}`}</span
                  >
                </li>`,
            )}
          </ol>`
    }
  </section>`;
}
