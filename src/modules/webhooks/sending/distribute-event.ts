import { hasConsent } from '#modules/consent';
import { listSharedMatches } from '#modules/matching';
import type { Transaction } from '#platform/database/database.ts';
import { lockEvent, type StoredEvent } from '#platform/queue/event-records.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import {
  buildAttestationData,
  buildMatchData,
  writeBody,
  type AttestationFacts,
  type MatchFacts,
} from '../payloads.ts';
import { deliverEvents } from './deliver-events.ts';
import { insertDeliveries, lockSubscribers } from './store.ts';

/** The event is lost when the last attempt fails, so the attempts go on for a day. */
const retry_seconds = [10, 60, 300, 900, 3_600, 7_200, 14_400, 28_800, 28_800];

/** Creates the deliveries of an event of a match, for the subscriptions of its organisation. */
export const distributeMatchEvent = task<MatchFacts & { readonly member_id: string }>({
  name: 'webhooks.distributeMatchEvent',
  retry_seconds,
  parallel: 2,
  group_by: ({ org_id }) => org_id,
  uses_event: true,
  run: (context, facts) =>
    distributeEvent(context, async (_tx, { type }) => [
      { org_id: facts.org_id, data: buildMatchData(type, facts) },
    ]),
});

/**
 * Creates the deliveries of an event of a credential, for the organisations that have an accepted or placed match with its member, while the
 * member shares credentials.
 */
export const distributeAttestation = task<AttestationFacts & { readonly member_id: string }>({
  name: 'webhooks.distributeAttestation',
  retry_seconds,
  parallel: 2,
  group_by: ({ member_id }) => member_id,
  uses_event: true,
  run: (context, facts) =>
    distributeEvent(context, async (tx) => {
      if (!(await hasConsent(tx, facts.member_id, 'credential_sharing'))) return [];
      const matches = await listSharedMatches(tx, facts.member_id);
      return [...Map.groupBy(matches, ({ org_id }) => org_id)].map(([org_id, shared]) => ({
        org_id,
        data: buildAttestationData(
          facts,
          shared.map(({ match_id }) => match_id),
        ),
      }));
    }),
});

/** An organisation that learns of an event, and what it learns. */
type Addressee = { readonly org_id: string; readonly data: object };

/**
 * Writes one delivery for each subscription and queues their sending, in one transaction. A repeated run adds nothing. The event stays locked,
 * so that an erasure of its member either comes first, and nothing is written, or finds the deliveries.
 */
async function distributeEvent(
  { database, queue, now, event_id = '' }: TaskContext,
  findAddressees: (tx: Transaction, event: StoredEvent) => Promise<readonly Addressee[]>,
): Promise<void> {
  await database.transaction(async (tx) => {
    const event = await lockEvent(tx, event_id);
    if (!event) return;
    const { id, type, created_at } = event;
    for (const { org_id, data } of await findAddressees(tx, event)) {
      const subscriptions = await lockSubscribers(tx, org_id, type);
      if (subscriptions.length === 0) continue;
      const deliveries = await insertDeliveries(tx, {
        subscriptions,
        event_id: id,
        event_type: type,
        member_id: readMember(event),
        body: writeBody({ id, type, created_at, data }),
        now: now(),
      });
      for (const { subscription_id, status } of deliveries)
        if (status === 'pending') await queue.send(tx, deliverEvents, { org_id, subscription_id });
    }
  });
}

function readMember({ data }: StoredEvent): string | null {
  return typeof data['member_id'] === 'string' ? data['member_id'] : null;
}
