/** What the program of a stranger may call: nothing that only a person may do. */
export const strangerPermissions = [
  'POST /webhooks/streams',
  'POST /webhooks/streams/{subscription_id}/deliveries',
  'POST /webhooks/streams/{subscription_id}/outcomes',
  'POST /orgs/me/jobs',
  'POST /orgs/me/jobs/{job_id}/recompute-matches',
  'GET /tasks/{task_id}',
  'GET /orgs/me/jobs/{job_id}/matches',
  'PUT /matches/{match_id}/reference',
  'GET /orgs/me/jobs/{job_id}/references',
  'PUT /matches/{match_id}/status',
  'GET /matches/{match_id}',
  'POST /orgs/queries/credential',
  'POST /sandbox/clock',
  'GET /sandbox',
  'POST /sandbox/year',
  'DELETE /sandbox/year',
];

/** A program with the packed client and a service key alone: a job, its shortlist, a decision, the event that follows, a paid read, and another
 * that is refunded, and the beginning of a year. It runs in a sandbox. */
export const stranger = `
import { createClient, hasCode, verifyWebhook, waitForTask } from '@tessera/client';

const [url = '', token = ''] = (globalThis as any).process.argv.slice(2);
const client = createClient({ url, token });
const stream = await client.webhooks.openStream({ body: { name: 'ats', events: ['match.proposed', 'match.reopened'] } });
const { id: job_id } = await client.jobs.createJob({
  body: { title: 'Nurse', outcome_description: 'Patients recover.', trait_priorities: { persistence: 1, sincerity: 0.5 }, external_ref: 'requisition-1' },
});
const { task_id } = await client.matches.recomputeMatches({ job_id });
await waitForTask(client, { task_id });
const people: string[] = [];
for await (const { id } of client.matches.listJobMatches.readAll({ job_id })) people.push(id);
const [match_id = ''] = people;
await client.matches.setReference({ match_id, body: { external_ref: 'application-1', metadata: { recruiter: 'kim' } } });
for (const status of ['org_passed', 'pending_review', 'org_interested'] as const)
  await client.matches.setMatchStatus({ match_id, body: { status } });

const events: string[] = [];
while (events.length < 2) {
  const { deliveries } = await client.webhooks.fetchDeliveries({ subscription_id: stream.id, body: { limit: 20, wait_seconds: 25 } });
  for (const { id, attempt, headers, body } of deliveries) {
    const event = await verifyWebhook(body, headers, stream.secret);
    const response_status = event ? 204 : 401;
    if (event?.data['match_id'] === match_id) events.push(event.type);
    const outcomes = [{ delivery_id: id, attempt, response_status, duration_ms: 1 }];
    await client.webhooks.reportDeliveries({ subscription_id: stream.id, body: { outcomes } });
  }
}
const { member_id } = await client.matches.readMatch({ match_id });
const buy = (tx_hash: string) => {
  const payment = btoa(JSON.stringify({ tx_hash, timestamp: Math.floor(Date.now() / 1000) }));
  return client.reads.createRead({ body: { member_id, data_type: 'trait_profile' } }, { headers: { 'PAYMENT-SIGNATURE': payment } });
};
const { query_metadata } = await buy('order-1');
// The sandbox lets the member withdraw between a payment with such a name and its read.
const refusals: string[] = [];
const recordRefusal = (error: unknown) => {
  for (const code of ['consent_withdrawn', 'payment_refunded'] as const) if (hasCode(error, code)) refusals.push(code);
};
await buy('refund-1').catch(recordRefusal);
const passing = await client.sandbox.advanceClock({ body: { advance_seconds: 86_400 } });
const { status: passed } = await waitForTask(client, passing);
await buy('refund-1').catch(recordRefusal);
const { data } = await client.matches.listReferences({ job_id, external_ref: 'application-1' });
// A year of made-up events, which is cancelled when the first of them have happened.
const playing = await client.sandbox.startYear({ body: { seed: 7 } });
while (!(await client.sandbox.readSandbox()).year?.acts_done) await new Promise((resolve) => setTimeout(resolve, 100));
await client.sandbox.cancelYear();
const { status: played } = await waitForTask(client, playing);
const { year } = await client.sandbox.readSandbox();
console.log(JSON.stringify({ people: people.length, events: events.sort(), found: data[0]?.match_id === match_id, id: stream.id, paid: query_metadata.payment_type, refusals, passed, played, year: year?.status }));
`;
