import type * as webhooks from '#modules/operations/webhooks';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';

export type Subscription = OperationBody<typeof webhooks.readSubscription>;
export type Delivery = OperationBody<typeof webhooks.readDelivery>;

type State = keyof Visit['texts']['webhooks']['states'];

/** As many failures in a row as deactivate a subscription. */
const failures_max = 10;

/** Decides how an endpoint is, by its subscription and its latest deliveries. */
function decideState({ is_active, failure_count }: Subscription, latest: readonly Delivery[]): State {
  if (!is_active) return 'inactive';
  if (failure_count > 0) return 'failing';
  return latest.some(({ status }) => status === 'delivered') ? 'working' : 'unused';
}

export function renderState({ texts }: Visit, subscription: Subscription, latest: readonly Delivery[]): Html {
  const state = decideState(subscription, latest);
  const look = { working: '', failing: 'clay', inactive: 'clay', unused: 'plain' }[state];
  return html`<span class="tag ${look}">${texts.webhooks.states[state]}</span>`;
}

/** Says what the state means for the administrator; nothing if there is nothing to do. */
export function explainState(
  { texts, format }: Visit,
  { is_active, failure_count }: Subscription,
  latest: readonly Delivery[],
): string | undefined {
  const { webhooks: words } = texts;
  if (!is_active && failure_count >= failures_max) return words.deactivatedText;
  if (!is_active) return findLastAttempt(latest)?.error === 'gone' ? words.goneText : words.inactiveText;
  if (failure_count === 0) return undefined;
  return words.failures(format.formatNumber(failure_count), failure_count === 1);
}

const marks_max = 30;
const mark_width = 6;

const lookOfStatus = { delivered: 'good', pending: 'plain', failed: 'bad' } as const;

/** Renders the latest deliveries as bars, the newest last. A failed one is half as high, so that it differs by more than its colour. */
export function renderHealthChart({ texts, format }: Visit, latest: readonly Delivery[]): Html | undefined {
  if (latest.length === 0) return undefined;
  const shown = latest.slice(0, marks_max).toReversed();
  const count = (status: Delivery['status']) =>
    format.formatNumber(shown.filter((each) => each.status === status).length);
  const words = texts.webhooks.chart(count('delivered'), count('pending'), count('failed'));
  return html`<svg
      class="health"
      viewBox="0 0 ${marks_max * mark_width} 24"
      role="img"
      aria-label="${words}"
      focusable="false"
    >
      ${shown.map(({ status }, place) => {
        const height = { delivered: 24, pending: 6, failed: 13 }[status];
        const x = place * mark_width;
        return html`<rect
          class="${lookOfStatus[status]}"
          x="${x}"
          y="${24 - height}"
          width="${mark_width - 2}"
          height="${height}"
        />`;
      })}
    </svg>
    <p class="small quiet health-words" aria-hidden="true">${words}</p>`;
}

const shown_characters = 200;

/** Shows the beginning of what the server replied to the latest failed attempt, with the delivery that it belongs to; nothing without a reply. */
export function renderLastReply({ texts }: Visit, latest: readonly Delivery[]): Html | undefined {
  const failed = latest.filter(({ error, response_excerpt }) => error !== null && response_excerpt);
  const readTime = ({ attempts }: Delivery) => attempts.at(-1)?.attempted_at ?? '';
  const [last] = failed.toSorted((one, other) => readTime(other).localeCompare(readTime(one)));
  if (!last) return undefined;
  const path = `/app/webhooks/${last.subscription_id}/deliveries/${last.id}`;
  return html`<code>${last.response_excerpt!.slice(0, shown_characters)}</code>
    <a href="${path}">${texts.webhooks.lastReplyLink}</a>`;
}

/** Finds the latest of all attempts of some deliveries. */
function findLastAttempt(latest: readonly Delivery[]): Delivery['attempts'][number] | undefined {
  const attempts = latest.flatMap((delivery) => delivery.attempts);
  return attempts.toSorted((one, other) => other.attempted_at.localeCompare(one.attempted_at))[0];
}

/** Describes the last failure among the latest deliveries, and the next attempt. */
export function describeTimes({ texts, format }: Visit, latest: readonly Delivery[]) {
  const { webhooks: words } = texts;
  const failures = latest.flatMap(({ attempts }) => attempts.filter(({ error }) => error !== null));
  const last = failures.toSorted((one, other) => other.attempted_at.localeCompare(one.attempted_at))[0];
  const next = latest.flatMap(({ next_attempt_at }) => next_attempt_at ?? []).toSorted()[0];
  return {
    last_failure: last
      ? `${format.formatExactTime(last.attempted_at)}: ${words.errors[last.error!]}${last.response_status === null ? '' : ` (${words.status_code(last.response_status)})`}`
      : words.noFailure,
    next_attempt: next === undefined ? words.none : format.formatExactTime(next),
  };
}

export function nameEvents(visit: Visit, { events }: Pick<Subscription, 'events'>, all: number): string {
  return events.length === all ? visit.texts.webhooks.allEvents : events.join(', ');
}
