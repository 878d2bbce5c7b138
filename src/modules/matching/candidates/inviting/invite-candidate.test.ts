import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import {
  answerByLink,
  createCandidateInvitation,
  inviteCandidate,
  readInvitationToken,
} from '#test/modules/candidates.ts';
import { createJob } from '#test/modules/jobs.ts';
import { createServiceKey } from '#test/modules/service-keys.ts';
import { createEmail, logInAgain } from '#test/users.ts';
import { invitationLimits, invitations_a_job_max } from '../rules.ts';

const app = await startApp();
const day_ms = 86_400_000;

test('an administrator invites an address to a job, which gets an email that names both', async () => {
  const org = await app.registerOrgAdmin({ name: 'Harbour Health' });
  const { token, org_id, user_id } = org;
  const { id: job_id, title } = await createJob(app, token);
  const email = createEmail();
  const notes = { external_ref: 'application-1', metadata: { round: 'autumn' } };
  const { status, body, headers } = await inviteCandidate(
    app,
    { token, job_id },
    { email: email.toUpperCase(), ...notes },
  );
  const now = app.clock.now().toISOString();
  const path = `/orgs/me/jobs/${job_id}/invitations/${body.id}`;
  expect([status, headers['location']]).toEqual([201, `${app.platform.config.publicUrl}/api/v1${path}`]);
  expect(body).toEqual({
    id: expect.any(String),
    job_id,
    email,
    status: 'sent',
    created_at: now,
    sent_at: now,
    expires_at: new Date(app.clock.now().getTime() + 14 * day_ms).toISOString(),
    updated_at: now,
    partner: null,
    ...notes,
  });
  expect((await app.request('GET', path, { token })).body).toEqual(body);
  expect(await readInvitationToken(app, email)).toMatch(/^[\w-]{43}$/);
  const mail = (await app.readMails()).find(({ to }) => to === email)!;
  expect(mail.text).toContain('Harbour Health');
  expect(mail.text).toContain(title);
  expect(mail.text).toContain('end all invitations from this organisation');
  expect(
    await app.sql.list(sql`
      select actor_user_id, detail from audit_log where org_id = ${org_id} and action = 'candidates.invited'`),
  ).toEqual([{ actor_user_id: user_id, detail: { invitation_id: body.id, job_id } }]);
});

test('neither the database nor the queue contains the address or the token', async () => {
  const { email } = await createCandidateInvitation(app);
  const [stored] = await app.sql.list(sql<{ row: string }>`
    select candidate_invitations::text || coalesce((select string_agg(tasks::text, ' ') from tasks), '') as row
    from candidate_invitations order by created_at desc, id limit 1`);
  const token = await readInvitationToken(app, email);
  for (const secret of [email, Buffer.from(email).toString('hex'), token!])
    expect(stored!.row).not.toContain(secret);
});

test('the reply and the states are the same for a member, a colleague and a stranger', async () => {
  const org = await app.registerOrgAdmin();
  const { token } = org;
  const { id: job_id } = await createJob(app, token);
  const member = await app.registerDeployedMember();
  const colleague = await createColleague(app, org.org_id);
  const replies = [];
  for (const email of [member.email, colleague.email, createEmail()]) {
    const { status, body } = await inviteCandidate(app, { token, job_id }, { email });
    const mailed = await readInvitationToken(app, email);
    const opened = await app.request('POST', '/invitations/open', { body: { token: mailed } });
    const mail = (await app.readMails()).findLast(
      ({ to, text }) => to === email && text.includes('/invitation?'),
    )!;
    replies.push([
      status,
      { ...body, id: '', email: '' },
      { ...opened.body, id: '' },
      mail.subject,
      mail.text.replace(mailed!, ''),
    ]);
  }
  expect(replies[1]).toEqual(replies[0]);
  expect(replies[2]).toEqual(replies[0]);
});

test('a program invites by a service key, and the log names the key', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const { id: job_id } = await createJob(app, token);
  const permissions = ['POST /orgs/me/jobs/{job_id}/invitations'];
  const { key } = await createServiceKey(app, token, { permissions });
  expect((await inviteCandidate(app, { token: key, job_id }, { email: createEmail() })).status).toBe(201);
  const [entry] = await app.sql.list(sql<{ detail: object }>`
    select detail from audit_log where org_id = ${org_id} and action = 'candidates.invited'`);
  expect(entry!.detail).toMatchObject({ service_key_id: expect.any(String) });
});

test('a repeated request with one Idempotency-Key invites once', async () => {
  const { token } = await app.registerOrgAdmin();
  const { id: job_id } = await createJob(app, token);
  const body = { email: createEmail() };
  const send = () => inviteCandidate(app, { token, job_id }, body, { 'idempotency-key': 'once' });
  const [first, second] = [await send(), await send()];
  expect([first.status, second.body]).toEqual([201, first.body]);
});

test('a person who has declined is not invited to the job again, and after a stop to none of the organisation', async () => {
  const { org, job_id, email } = await createCandidateInvitation(app);
  const send = (token: string, job = job_id) => inviteCandidate(app, { token, job_id: job }, { email });
  await answerByLink(app, await readInvitationToken(app, email), 'decline');
  app.clock.advance(2 * day_ms);
  const token = await logInAgain(app, org);
  expect((await send(token)).body.code).toBe('candidate_declined');
  const other = await createJob(app, token);
  expect((await send(token, other.id)).status).toBe(201);
  await answerByLink(app, await readInvitationToken(app, email), 'stop');
  const third = await createJob(app, token);
  const refused = await send(token, third.id);
  expect([refused.status, refused.body.code]).toEqual([409, 'candidate_stopped']);
  // Another organisation is not concerned.
  expect((await createCandidateInvitation(app, { email })).id).toEqual(expect.any(String));
});

test('a job has at most so many invitations, and only an active job of the organisation has any', async () => {
  const { org, job_id } = await createCandidateInvitation(app);
  const { token } = org;
  await app.sql.run(sql`
    insert into candidate_invitations (id, org_id, job_id, token_hash, state, metadata, created_at, sent_at, expires_at, updated_at)
    select gen_random_uuid(), org_id, job_id, sha256(number::text::bytea), 'cancelled', '{}', created_at, sent_at - interval '2 days', expires_at, updated_at
    from candidate_invitations, generate_series(2, ${invitations_a_job_max}::integer) as number where job_id = ${job_id}`);
  const send = (job: string) => inviteCandidate(app, { token, job_id: job }, { email: createEmail() });
  expect((await send(job_id)).body.code).toBe('invitations_full');
  expect((await send(unknownId)).body.code).toBe('job_not_found');
  const closed = await createJob(app, token);
  await app.request('DELETE', `/orgs/me/jobs/${closed.id}`, { token });
  expect((await send(closed.id)).body.code).toBe('job_closed');
});

test('refuses bad input, callers who are not logged in, other roles and other organisations', async () => {
  const { org, job_id, path } = await createCandidateInvitation(app);
  const body = { email: createEmail() };
  const send = (token?: string, sent: object = body) =>
    app.request('POST', `/orgs/me/jobs/${job_id}/invitations`, { body: sent, ...(token && { token }) });
  const bad = await send(org.token, { email: 'nobody', metadata: { round: 7 } });
  expect([bad.status, bad.body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
    422,
    ['/email', '/metadata/round'],
  ]);
  expect((await send()).status).toBe(401);
  const viewer = await createColleague(app, org.org_id);
  expect((await send(viewer.token)).body.code).toBe('role_not_allowed');
  expect((await app.request('GET', path, { token: viewer.token })).status).toBe(200);
  const { token } = await app.registerOrgAdmin();
  expect((await send(token)).body.code).toBe('job_not_found');
  for (const act of ['', '/cancel', '/resend']) {
    const refused = await app.request(act === '' ? 'GET' : 'POST', `${path}${act}`, { token });
    expect([refused.status, refused.body.code]).toEqual([404, 'candidate_invitation_not_found']);
  }
  const unproven = await app.registerOrgAdmin({ is_verified: false });
  const job = await createJob(app, unproven.token);
  const refused = await inviteCandidate(app, { token: unproven.token, job_id: job.id }, body);
  expect([refused.status, refused.body.code]).toEqual([403, 'email_not_verified']);
});

test('an organisation sends as many a day as its tier allows', async () => {
  const own = await startApp({ TESSERA_RATE_LIMITS: 'on' });
  const { org, job_id } = await createCandidateInvitation(own);
  const { token } = org;
  await own.sql.run(sql`
    insert into candidate_invitations (id, org_id, job_id, token_hash, state, metadata, created_at, sent_at, expires_at, updated_at)
    select gen_random_uuid(), org_id, job_id, sha256(number::text::bytea), 'cancelled', '{}', created_at, sent_at, expires_at, updated_at
    from candidate_invitations, generate_series(2, ${invitationLimits['E1 Explorer']}::integer) as number where job_id = ${job_id}`);
  const { status, body, headers } = await inviteCandidate(own, { token, job_id }, { email: createEmail() });
  expect([status, body.code, headers['retry-after']]).toEqual([429, 'too_many_requests', '86400']);
});
