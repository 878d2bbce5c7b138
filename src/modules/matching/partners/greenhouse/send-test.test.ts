import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { answerByLink, createCandidateInvitation, readInvitationToken } from '#test/modules/candidates.ts';
import { createJob } from '#test/modules/jobs.ts';
import {
  connectGreenhouse,
  createOrder,
  listStrangerStatuses,
  strangerStatuses,
} from '#test/modules/partners.ts';
import { createServiceKey } from '#test/modules/service-keys.ts';
import { createEmail } from '#test/users.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const partner = await connectGreenhouse(app);

const build = (job_id: string, changes: object = {}) => ({
  partner_test_id: job_id,
  candidate: { email: createEmail() },
  url: `${partner.origin}/integrations/testing_partners/take_home_tests/${job_id}`,
  ...changes,
});

test('invites the candidate once, however often it is sent, also at the same time', async () => {
  const { id: job_id } = await createJob(app, partner.org.token);
  const body = build(job_id);
  const replies = await Promise.all([1, 2, 3].map(() => partner.call('POST', 'send_test', body)));
  expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
  const { token } = partner.org;
  const { body: list } = await app.request('GET', `/orgs/me/jobs/${job_id}/invitations`, { token });
  expect(list.data).toEqual([
    expect.objectContaining({
      id: replies[0]!.body.partner_interview_id,
      email: body.candidate.email,
      partner: 'greenhouse',
    }),
  ]);
  await app.drainQueue();
  expect((await app.readMails()).filter(({ to }) => to === body.candidate.email)).toHaveLength(1);
});

test('stores neither a name nor a number of the candidate, and the key of the system encrypted', async () => {
  const { id } = await createOrder(app, partner, 'stored');
  const [stored] = await app.sql.list(sql<{ row: string }>`
    select candidate_invitations::text || partner_orders::text || partner_connections::text as row
    from partner_orders join candidate_invitations on id = invitation_id
    join partner_connections on partner_connections.org_id = partner_orders.org_id
    where id = ${id}`);
  for (const text of ['Harry', 'Potter', '123-456', 'key-of-the-organisation', 'example.org'])
    expect(stored!.row).not.toContain(text);
});

test('the person reads before the answer where the result goes', async () => {
  const { email } = await createOrder(app, partner, 'read');
  const token = await readInvitationToken(app, email);
  const { body } = await app.request('POST', '/invitations/open', { body: { token } });
  expect(body.partner).toBe('greenhouse');
  const { email: other } = await createCandidateInvitation(app);
  const own = await readInvitationToken(app, other);
  expect((await app.request('POST', '/invitations/open', { body: { token: own } })).body.partner).toBe(null);
});

test('refuses bad input, and names the field', async () => {
  const { id: job_id } = await createJob(app, partner.org.token);
  const bad: readonly (readonly [object, string])[] = [
    [{ partner_test_id: 'no-id' }, '/partner_test_id'],
    [{ candidate: { email: 'nobody' } }, '/candidate/email'],
    [{ candidate: undefined }, '/candidate'],
    [{ url: undefined }, '/url'],
    [{ url: 'https://other.example/take_home_tests/1' }, '/url'],
    [{ url: `${partner.origin}@other.example/` }, '/url'],
  ];
  for (const [changes, pointer] of bad) {
    const { status, body } = await partner.call('POST', 'send_test', build(job_id, changes));
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'field_invalid', pointer]);
  }
  const { token } = partner.org;
  expect((await app.request('GET', `/orgs/me/jobs/${job_id}/invitations`, { token })).body.data).toEqual([]);
});

test('a job of another organisation does not exist, and a closed one has no invitations', async () => {
  const other = await app.registerOrgAdmin();
  const { id: foreign } = await createJob(app, other.token);
  const sendTo = async (job_id: string) => {
    const { status, body } = await partner.call('POST', 'send_test', build(job_id));
    return [status, body.code];
  };
  expect(await sendTo(foreign)).toEqual([404, 'job_not_found']);
  expect(await sendTo(unknownId)).toEqual([404, 'job_not_found']);
  const { token } = partner.org;
  const { id: closed } = await createJob(app, token);
  await app.request('DELETE', `/orgs/me/jobs/${closed}`, { token });
  expect(await sendTo(closed)).toEqual([409, 'job_closed']);
});

test('somebody who has declined is not invited again by another test', async () => {
  const { job_id, email } = await createOrder(app, partner, 'declined');
  await answerByLink(app, await readInvitationToken(app, email), 'decline');
  const { status, body } = await partner.send({ name: 'declined-2', job_id, email });
  expect([status, body.code]).toEqual([409, 'candidate_declined']);
});

test('an organisation that has not connected the system cannot send', async () => {
  const org = await app.registerOrgAdmin();
  const { id: job_id } = await createJob(app, org.token);
  const { key } = await createServiceKey(app, org.token, { permissions: ['PARTNER /partners/greenhouse'] });
  const { status, body } = await partner.call('POST', 'send_test', build(job_id), `Bearer ${key}`);
  expect([status, body.code]).toEqual([409, 'partner_not_connected']);
});

test('is for service keys with the permission alone', async () => {
  const body = build(unknownId);
  expect(await listStrangerStatuses(app, partner, 'POST', 'send_test', body)).toEqual(strangerStatuses);
});
