import * as webhooks from '#modules/operations/webhooks';
import type { OperationInput } from '#platform/operation.ts';
import type { Field, FieldGroup } from '../../parts/form.ts';
import type { Visit } from '../../serving/page.ts';
import type { Subscription } from './health.ts';

type Events = NonNullable<OperationInput<typeof webhooks.createSubscription>['events']>;

/** Reads the name of an event from the name of its box, which has no point, because errors name fields by paths. */
const toBoxName = (event: string) => `event_${event.replace('.', '_')}`;

/** The host of a webhook, or the name of a stream, which has no address. */
export function nameTarget(url: string): string {
  const { host, pathname } = new URL(url);
  return host || pathname;
}

export function buildUrlField({ texts: { webhooks: texts } }: Visit, url?: string): Field {
  return { name: 'url', label: texts.url, hint: texts.urlHint, value: url, maxlength: 1_000 };
}

export async function buildEventGroup(visit: Visit, chosen: readonly string[]): Promise<FieldGroup> {
  const { webhooks: texts } = visit.texts;
  const { events } = await visit.call(webhooks.listEvents);
  return {
    legend: texts.events,
    hint: texts.eventsHint,
    fields: events.map((event) => ({
      name: toBoxName(event),
      label: nameEvent(event),
      look: 'check' as const,
      value: String(chosen.includes(event)),
      may_be_empty: true as const,
    })),
  };
}

/** The event in words, and its type, by which programs tell events apart. */
function nameEvent(event: string): string {
  const title = webhooks.sentEvents.find(({ name }) => name === event)?.title;
  return title === undefined ? event : `${title} (${event})`;
}

/** Reads the chosen events; all if none is chosen. */
export async function readEvents(visit: Visit, fields: Readonly<Record<string, string>>): Promise<Events> {
  const { events } = await visit.call(webhooks.listEvents);
  const chosen = events.filter((event) => fields[toBoxName(event)] === 'true');
  // The operation refuses what is not an event.
  return (chosen.length > 0 ? chosen : events) as Events;
}

export function buildSecretField({ texts: { newWebhook: texts } }: Visit): Field {
  return { name: 'secret', label: texts.secret, hint: texts.secretHint, maxlength: 128, optional: true };
}

export function readSubscription(visit: Visit): Promise<Subscription> {
  return visit.call(webhooks.readSubscription, { subscription_id: visit.params['subscription_id'] ?? '' });
}
