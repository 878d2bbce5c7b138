import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import {
  answerByLink,
  createCandidateInvitation,
  createSeenInvitation,
  readEvents,
  readInvitationToken,
} from '#test/modules/candidates.ts';
import { runTask } from '#test/modules/matching.ts';
import { fetchStream, openStream } from '#test/modules/webhooks.ts';
import { endInvitations } from '../end-invitations.ts';

const app = await startApp();

const open = (link: string | undefined) =>
  app.request('POST', '/invitations/open', { body: { token: link } });

const listOwn = async (token: string, query = '') =>
  (await app.request('GET', `/members/me/invitations${query}`, { token })).body.data;

test('without an account, a person declines, which deletes the address, and cannot accept', async () => {
  const { org, link, readSeen, id } = await createSeenInvitation(app);
  const accepted = await answerByLink(app, link, 'accept');
  expect([accepted.status, accepted.body.code]).toEqual([401, 'authentication_required']);
  const stream = await openStream(app, org.token, { events: ['invitation.updated'] });
  const { status, body } = await answerByLink(app, link, 'decline');
  expect([status, body.status]).toEqual([200, 'declined']);
  expect((await answerByLink(app, link, 'decline')).body).toEqual(body);
  expect(await readSeen()).toEqual(['declined', null]);
  await app.drainQueue();
  const { body: fetched } = await fetchStream(app, org.token, stream.id);
  expect(fetched.deliveries.length).toBe(1);
  expect(readEvents(fetched)[0]).toMatchObject({ invitation_id: id, status: 'declined' });
  const member = await app.registerMember();
  const late = await answerByLink(app, link, 'accept', member.token);
  expect([late.status, late.body.code]).toEqual([409, 'candidate_invitation_closed']);
});

test('a member accepts by the link, and withdraws; nobody else can answer then', async () => {
  const { org, link, readSeen, email } = await createSeenInvitation(app);
  const [member, other] = [await app.registerMember(), await app.registerMember()];
  const accepted = await answerByLink(app, link, 'accept', member.token);
  expect([accepted.status, accepted.body.status]).toEqual([200, 'accepted']);
  expect((await answerByLink(app, link, 'accept', member.token)).status).toBe(200);
  expect(await readSeen()).toEqual(['accepted', email]);
  for (const token of [other.token, undefined])
    expect((await answerByLink(app, link, 'decline', token)).body.code).toBe('candidate_invitation_closed');
  expect((await answerByLink(app, link, 'accept', other.token)).status).toBe(409);
  expect((await answerByLink(app, link, 'accept', org.token)).body.code).toBe('role_not_allowed');
  const [own] = await listOwn(member.token);
  expect(own).toEqual(accepted.body);
  const path = `/members/me/invitations/${own.id}`;
  const withdrawn = await app.request('POST', path, { token: member.token, body: { decision: 'decline' } });
  expect([withdrawn.status, withdrawn.body.status]).toEqual([200, 'withdrawn']);
  expect(await readSeen()).toEqual(['withdrawn', null]);
  const { body } = await app.request('GET', '/audit-log', { token: org.token });
  expect(body.data.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['candidates.accepted', 'candidates.withdrawn']),
  );
  expect(JSON.stringify(body)).not.toContain(member.member_id);
});

test('an acceptance is no consent: the organisation sees a match only by the consents and rules of matching', async () => {
  const newcomer = await app.registerMember();
  const { org, link, job_id, path } = await createSeenInvitation(app, { email: newcomer.email });
  await answerByLink(app, link, 'accept', newcomer.token);
  await app.drainQueue();
  const { token } = org;
  const matches = await app.request('GET', `/orgs/me/jobs/${job_id}/matches`, { token });
  expect(matches.body.data).toEqual([]);
  const { body: consents } = await app.request('GET', '/members/me/consent', { token: newcomer.token });
  expect(consents.consents.some(({ granted }: { granted: boolean }) => granted)).toBe(false);
  expect(JSON.stringify((await app.request('GET', path, { token })).body)).not.toContain(newcomer.member_id);
});

test('what is stopped stays stopped, also by somebody who has only the link of an accepted invitation', async () => {
  const member = await app.registerMember();
  const { org, link, job_id, email, readSeen } = await createSeenInvitation(app);
  await answerByLink(app, link, 'accept', member.token);
  const { status, body } = await answerByLink(app, link, 'stop');
  expect([status, body.status]).toEqual([200, 'accepted']);
  expect(await readSeen()).toEqual(['accepted', email]);
  const stops = await app.sql.list(sql`select from candidate_stops where org_id = ${org.org_id}`);
  expect([stops.length, job_id]).toEqual([1, expect.any(String)]);
});

test('nobody accepts an invitation to a closed job, or one of a suspended organisation', async () => {
  const member = await app.registerMember();
  const { org, link, job_id } = await createSeenInvitation(app);
  await app.request('DELETE', `/orgs/me/jobs/${job_id}`, { token: org.token });
  expect((await open(link)).body.job_is_open).toBe(false);
  expect((await answerByLink(app, link, 'accept', member.token)).body.code).toBe('job_closed');
  await app.sql.run(sql`update organisations set suspended_at = ${app.clock.now()} where id = ${org.org_id}`);
  expect((await open(link)).body.code).toBe('candidate_invitation_not_found');
  expect((await answerByLink(app, link, 'decline')).status).toBe(404);
});

test('the erasure of a member ends what they have accepted, and deletes the address', async () => {
  const own = await startApp({ TESSERA_RETENTION_SECONDS: '0' });
  const member = await own.registerMember();
  const { org, path, id } = await createCandidateInvitation(own, { email: member.email });
  const stream = await openStream(own, org.token, { events: ['invitation.updated'] });
  await answerByLink(own, await readInvitationToken(own, member.email), 'accept', member.token);
  const copy = await own.request('GET', `/exports/member/${member.member_id}/gdpr-data`, {
    token: member.token,
  });
  expect(String(copy.body)).toContain('candidates.accepted_invitations');
  await own.request('DELETE', '/members/me', { token: member.token });
  await own.drainQueue();
  expect((await own.sql.list(sql`select from members where id = ${member.member_id}`)).length).toBe(0);
  const { body } = await own.request('GET', path, { token: org.token });
  expect([body.status, body.email]).toEqual(['withdrawn', null]);
  const [row] = await own.sql.list(sql<{ is_gone: boolean }>`
    select email_sealed is null and email_hash is null and member_id is null as is_gone from candidate_invitations where id = ${id}`);
  expect(row).toEqual({ is_gone: true });
  await runTask(own, endInvitations, {});
  await own.drainQueue();
  const { body: fetched } = await fetchStream(own, org.token, stream.id);
  const statuses = readEvents(fetched).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual(['accepted', 'withdrawn']);
});
