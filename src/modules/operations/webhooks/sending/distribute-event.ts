import { hasConsent } from '#modules/people/consent';
import { listSharedMatches } from '#modules/matching/matches';
import type { Transaction } from '#platform/database/database.ts';
import { lockEvents, type StoredEvent } from '#platform/queue/event-records.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { buildSentData, writeBody } from '../payloads.ts';
import { deliverEvents } from './deliver-events.ts';
import { addDeliveries, lockSubscribers } from './store.ts';

/** The event is lost when the last attempt fails, so the attempts go on for a day. */
const retry_seconds = [10, 60, 300, 900, 3_600, 7_200, 14_400, 28_800, 28_800];

/** One transaction distributes up to this many events. In a burst, this saves most of the commits. */
const batch_max = 1_000;

/** Creates the deliveries of events of jobs and matches, for the subscriptions of their organisations. */
export const distributeToOrganisation = task<{ readonly org_id: string }>({
  name: 'webhooks.distributeToOrganisation',
  retry_seconds,
  parallel: 2,
  group_by: ({ org_id }) => org_id,
  uses_event: true,
  batch_max,
  run: (context) =>
    distributeEvents(context, async (_tx, { type, data }) => {
      // The event was written with the data for which this task is registered in src/tables/events.ts.
      const { org_id } = data as { readonly org_id: string };
      return [{ org_id, data: buildSentData(type, data) }];
    }),
});

/**
 * Creates the deliveries of events of credentials, for the organisations that have an accepted or placed match with their member, while the
 * member shares credentials.
 */
export const distributeAttestation = task<{ readonly member_id: string }>({
  name: 'webhooks.distributeAttestation',
  retry_seconds,
  parallel: 2,
  group_by: ({ member_id }) => member_id,
  uses_event: true,
  batch_max,
  run: (context) =>
    distributeEvents(context, async (tx, { type, data }) => {
      const { member_id } = data as { readonly member_id: string };
      if (!(await hasConsent(tx, member_id, 'credential_sharing'))) return [];
      const matches = await listSharedMatches(tx, member_id);
      return [...Map.groupBy(matches, ({ org_id }) => org_id)].map(([org_id, shared]) => {
        const match_ids = shared.map(({ match_id }) => match_id);
        return { org_id, data: buildSentData(type, data, match_ids) };
      });
    }),
});

type Addressee = { readonly org_id: string; readonly data: object };

/** An event as an organisation learns it. */
type AddressedEvent = {
  readonly event_id: string;
  readonly event_type: string;
  readonly member_id: string | null;
  readonly org_id: string;
  readonly body: string;
};

/**
 * Writes one delivery for each subscription and event, and queues their sending, in one transaction. A repeated run adds nothing. The events
 * stay locked, so that an erasure of their member either comes first, and nothing is written, or finds the deliveries.
 */
async function distributeEvents(
  context: TaskContext,
  findAddressees: (tx: Transaction, event: StoredEvent) => Promise<readonly Addressee[]>,
): Promise<void> {
  const { config, database, event_ids = [] } = context;
  const { sandbox } = config;
  await database.transaction(async (tx) => {
    const addressed: AddressedEvent[] = [];
    for (const event of await lockEvents(tx, event_ids)) {
      const { id, type, created_at } = event;
      const common = { event_id: id, event_type: type, member_id: readMember(event) };
      for (const { org_id, data } of await findAddressees(tx, event))
        addressed.push({ ...common, org_id, body: writeBody({ id, type, created_at, data, sandbox }) });
    }
    const byOrganisation = Map.groupBy(addressed, ({ org_id }) => org_id);
    // A statement concerns one organisation, and all are sent without waiting for each other's replies.
    await Promise.all(
      [...byOrganisation].map(async ([org_id, events]) => {
        const pending = await writeDeliveries(context, tx, org_id, events);
        for (const subscription_id of pending)
          await context.queue.send(tx, deliverEvents, { org_id, subscription_id });
      }),
    );
  });
}

/** @returns the subscriptions that have something to send now. */
async function writeDeliveries(
  { now }: TaskContext,
  tx: Transaction,
  org_id: string,
  events: readonly AddressedEvent[],
): Promise<ReadonlySet<string>> {
  const types = new Set(events.map(({ event_type }) => event_type));
  const subscribers = await lockSubscribers(tx, org_id, [...types]);
  const added = events.flatMap((event) =>
    subscribers
      .filter((subscriber) => subscriber.events.some((type) => type === event.event_type))
      .map(({ id, is_active }) => ({ ...event, subscription_id: id, is_active })),
  );
  return new Set(added.length === 0 ? [] : await addDeliveries(tx, added, now()));
}

function readMember({ data }: StoredEvent): string | null {
  return typeof data['member_id'] === 'string' ? data['member_id'] : null;
}
