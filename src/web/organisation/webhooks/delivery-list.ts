import type * as webhooks from '#modules/operations/webhooks';
import type { OperationBody, OperationInput } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import { renderNextPage } from '../../parts/next-page.ts';
import type { Delivery } from './health.ts';

type Input = OperationInput<typeof webhooks.listDeliveries>;

/** Which deliveries are listed, as the address has it. */
export type DeliveryFilter = Pick<Input, 'status' | 'event_type'>;

/** Reads the filter. What is neither a status nor an event is left out. */
export function readDeliveryFilter({ query, texts: { webhooks: texts } }: Visit): DeliveryFilter {
  const { status = '', event_type = '' } = query;
  return {
    ...(Object.hasOwn(texts.statuses, status) && { status: status as NonNullable<Input['status']> }),
    ...(/^[a-z]+\.[a-z]+$/.test(event_type) && {
      event_type: event_type as NonNullable<Input['event_type']>,
    }),
  };
}

type Listed = {
  readonly subscription_id: string;
  readonly listed: OperationBody<typeof webhooks.listDeliveries>;
  readonly filter: DeliveryFilter;
  readonly events: readonly string[];
};

/** Renders the deliveries of a webhook with their filter. */
export function renderDeliveries(
  visit: Visit,
  { subscription_id, listed: { data, pagination }, filter, events }: Listed,
): Html {
  const { webhooks: texts } = visit.texts;
  const path = `/app/webhooks/${subscription_id}`;
  return html`<section class="after" aria-labelledby="deliveries">
    <h2 id="deliveries">${texts.deliveries}</h2>
    <p class="quiet small">${texts.order}</p>
    <form class="filters" method="get" action="${path}">
      ${renderSelect('status', texts.status, [['', texts.anyStatus], ...Object.entries(texts.statuses)], filter.status)}
      ${renderSelect(
        'event_type',
        texts.event,
        [['', texts.anyEvent], ...[...events, 'webhook.test'].map((event) => [event, event] as const)],
        filter.event_type,
      )}
      <p class="buttons"><button class="button quiet">${texts.filter}</button></p>
    </form>
    ${
      data.length === 0
        ? html`<p class="after quiet">${texts.noDeliveries}</p>`
        : html`<ul class="list">
            ${data.map((delivery) => renderRow(visit, delivery))}
          </ul>`
    }
    ${renderNextPage(path, filter, { next_cursor: pagination.next_cursor, label: texts.older })}
  </section>`;
}

function renderSelect(
  name: string,
  label: string,
  options: readonly (readonly [value: string, label: string])[],
  chosen: string | undefined,
): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${options.map(([value, words]) => html`<option value="${value}" ${value === (chosen ?? '') && 'selected'}>${words}</option>`)}
    </select>
  </div>`;
}

function renderRow(visit: Visit, delivery: Delivery): Html {
  const { webhooks: texts } = visit.texts;
  const { subscription_id, id, event_type, created_at } = delivery;
  return html`<li>
    <a href="/app/webhooks/${subscription_id}/deliveries/${id}"
      ><strong>${event_type}</strong> <span>${visit.format.formatTime(created_at)}</span></a
    >
    ${renderDeliveryStatus(visit, delivery)}
    <span class="quiet small">${describeOutcome(texts, visit.format, delivery)}</span>
  </li>`;
}

export function renderDeliveryStatus({ texts }: Visit, { status }: Delivery): Html {
  const look = { delivered: '', pending: 'plain', failed: 'clay' }[status];
  return html`<span class="tag ${look}">${texts.webhooks.statuses[status]}</span>`;
}

function describeOutcome(
  texts: Visit['texts']['webhooks'],
  { formatNumber }: Visit['format'],
  { attempt, response_status, duration_ms, error }: Delivery,
): string {
  return [
    attempt === 0 ? texts.notTried : texts.attempts(formatNumber(attempt), attempt === 1),
    ...(response_status === null ? [] : [texts.status_code(response_status)]),
    ...(duration_ms === null ? [] : [texts.milliseconds(formatNumber(duration_ms))]),
    ...(error === null ? [] : [texts.errors[error]]),
  ].join(' · ');
}
