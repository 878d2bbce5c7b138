import { Type } from 'typebox';
import { Refusal, requireFound } from '#lib/refusal.ts';
import { isSuspendedOrganisation } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import { readWorldTime } from '#platform/clock.ts';
import { operation, type Context } from '#platform/operation.ts';
import { closedObject, field, uuid } from '#platform/schema.ts';
import { describeSending } from '../describe-sending.ts';
import { computeFreeRequests } from '../rules.ts';
import { claimPermitted } from '../sending/claim-permitted.ts';
import { readSigningKeys } from '../secrets.ts';
import { buildHeaders } from '../signatures.ts';
import { waitForStream } from '../stream-waits.ts';
import { hasNews, lockStream, recordUse } from './store.ts';

const use_ms = 60_000;

const fetchedWire = closedObject({
  id: field(
    uuid,
    'The id of the delivery: X-Service-Delivery of all its attempts.',
    '4d8a1f6e-2b3c-4d5e-8f90-a1b2c3d4e5f6',
  ),
  event_type: field(Type.String(), 'The name of the event.', 'match.accepted'),
  attempt: field(Type.Integer({ minimum: 0 }), 'The number of attempts so far. Repeat it in the report.', 0),
  headers: field(
    Type.Record(Type.String(), Type.String()),
    'The headers of a webhook with its signatures, in lower case. Send them on as they are.',
    { 'x-service-event': 'match.accepted', 'webhook-timestamp': '1772442000' },
  ),
  body: field(
    Type.String(),
    'The body of a webhook. Send it on byte for byte.',
    '{"api_version":"v1","created_at":"2026-03-02T09:00:00.000Z","data":{},"id":"d7c5b3a1-9f8e-4d6c-8b4a-2e1f0d9c8b7a","type":"match.accepted"}',
  ),
});

export const fetchDeliveries = operation({
  name: 'webhooks.fetchDeliveries',
  title: 'Fetch events of a stream',
  summary:
    'Fetches deliveries of a stream that are due, at most `limit`. They are yours for 40 seconds: report their outcomes until then, or they come again. If none is due, the reply is empty and comes as soon as there is one, after `wait_seconds` at the latest; then ask again.',
  who: ['org_admin'],
  input: Type.Object({
    subscription_id: uuid,
    limit: field(Type.Integer({ minimum: 1, maximum: 20, default: 5 }), 'The most deliveries to fetch.', 5),
    wait_seconds: field(
      Type.Integer({ minimum: 0, maximum: 25, default: 0 }),
      'How long to wait if no delivery is due.',
      25,
    ),
  }),
  output: {
    200: closedObject({
      deliveries: field(Type.Array(fetchedWire), 'What is due, oldest first; empty if nothing came in time.'),
    }),
  },
  refuses: ['webhook_not_found', 'webhook_inactive'],
  run: async (context, { subscription_id, limit, wait_seconds }) => {
    const deliveries = await context.transaction((tx) => claim(context, tx, subscription_id, limit));
    // After a wait nothing is claimed: the program may be gone meanwhile, and its key revoked.
    if (deliveries.length === 0 && wait_seconds > 0) await wait(context, subscription_id, wait_seconds);
    return { deliveries };
  },
});

async function claim(context: Context<'org_admin'>, tx: Transaction, id: string, limit: number) {
  const { org_id } = context.caller;
  const now = context.now();
  const stream = requireFound(await lockStream(tx, { org_id, id }), 'webhook_not_found');
  if (!stream.is_active) throw new Refusal('webhook_inactive');
  const used_ms = stream.opened_at?.getTime() ?? 0;
  const used_at = readWorldTime(context);
  if (used_at.getTime() - used_ms >= use_ms) recordUse(tx, { org_id, id }, used_at);
  const isResting = stream.resumes_at !== null && stream.resumes_at > now;
  if (isResting || (await isSuspendedOrganisation(tx, org_id))) return [];
  const claimed = await claimPermitted(
    tx,
    { org_id, subscription_id: id },
    { due: now, now, limit: stream.failure_count > 0 ? computeFreeRequests(stream.failure_count, 0) : limit },
  );
  if (claimed.length === 0) return [];
  const keys = readSigningKeys(context.secrets, stream, now);
  return claimed.map(({ id: delivery_id, event_type, attempt, body }) => {
    const headers = buildHeaders({ delivery_id, event_type, body, ...describeSending(context) }, keys);
    return { id: delivery_id, event_type, attempt, headers: { ...headers }, body };
  });
}

function wait(context: Context<'org_admin'>, subscription_id: string, wait_seconds: number): Promise<void> {
  const { org_id } = context.caller;
  const isDue = () => hasNews(context.database, { org_id, id: subscription_id }, context.now());
  return waitForStream(context, { org_id, subscription_id }, isDue, wait_seconds * 1000);
}
