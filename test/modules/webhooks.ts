import { attestationIssued } from '#modules/credentials/credentials';
import { matchProposed } from '#modules/matching/matches';
import { sql } from '#platform/database/database.ts';
import { deliverEvents } from '#modules/operations/webhooks';
import { unknownId, type TestApp, type TestReply } from '#test/harness.ts';
import { runTask } from './matching.ts';

export type TestSubscription = { readonly id: string; readonly secret: string; readonly org_id: string };

/** Subscribes a URL to events, all by default. */
export async function createSubscription(
  app: TestApp,
  token: string,
  body: { readonly url: string; readonly events?: readonly string[]; readonly secret?: string },
): Promise<TestSubscription> {
  const reply = await app.request('POST', '/webhooks/', { token, body });
  if (reply.status !== 201)
    throw new Error(`subscribing returned ${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

/** The deliveries of a subscription, the newest first, at most 100. */
export async function listDeliveries(
  app: TestApp,
  token: string,
  id: string,
): Promise<readonly TestReply['body'][]> {
  return (await app.request('GET', `/webhooks/${id}/deliveries?limit=100`, { token })).body.data;
}

/** Emits match.proposed for an organisation, without a match behind it. */
export async function emitProposal(
  app: TestApp,
  org_id: string,
  {
    member_id = unknownId,
    shown_member_id = unknownId,
    count = 1,
  }: { member_id?: string; shown_member_id?: string; count?: number } = {},
): Promise<void> {
  const ids = { match_id: unknownId, job_id: unknownId, org_id, member_id, shown_member_id };
  await app.platform.database.transaction(async (tx) => {
    for (let number = 0; number < count; number++) await app.platform.queue.emit(tx, matchProposed, ids);
  });
}

/** Emits attestation.issued about a member, without a credential behind it. @returns the data of the event. */
export async function emitAttestation(app: TestApp, member_id: string) {
  const data = {
    credential_id: unknownId,
    member_id,
    credential_type: 'trait_attestation',
    attestation_tier: 'self_attested',
    status: 'active',
    issued_at: app.clock.now().toISOString(),
    expires_at: app.clock.now().toISOString(),
    revoked_at: null,
  } as const;
  await app.platform.database.transaction((tx) => app.platform.queue.emit(tx, attestationIssued, data));
  return data;
}

/** Sends what is due by the clock of the test, once: no later attempt is made, as `drainQueue` would. */
export async function deliverDue(app: TestApp, { id, org_id }: TestSubscription): Promise<void> {
  await runTask(app, deliverEvents, { org_id, subscription_id: id });
}

/** Removes all waiting tasks, so that a later `drainQueue` makes no attempts before their time. */
export async function clearQueue(app: TestApp): Promise<void> {
  await app.sql.run(sql`delete from tasks`);
}

/** Opens a stream of events, of all by default. */
export async function openStream(
  app: TestApp,
  token: string,
  body: { readonly name?: string; readonly events?: readonly string[]; readonly secret?: string } = {},
): Promise<TestSubscription> {
  const reply = await app.request('POST', '/webhooks/streams', { token, body: { name: 'ada', ...body } });
  if (reply.status !== 200)
    throw new Error(`opening returned ${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

/** Fetches what is due in a stream. */
export function fetchStream(app: TestApp, token: string, id: string, body: object = {}): Promise<TestReply> {
  return app.request('POST', `/webhooks/streams/${id}/deliveries`, { token, body });
}

/** Reports what became of a delivery of a stream. */
export function reportStream(
  app: TestApp,
  token: string,
  id: string,
  delivery: { readonly id: string; readonly attempt: number },
  response_status: number | null,
): Promise<TestReply> {
  const outcome = { delivery_id: delivery.id, attempt: delivery.attempt, response_status, duration_ms: 12 };
  return app.request('POST', `/webhooks/streams/${id}/outcomes`, { token, body: { outcomes: [outcome] } });
}
