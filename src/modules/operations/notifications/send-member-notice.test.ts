import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { runTask } from '#test/modules/matching.ts';
import { sql } from '#platform/database/database.ts';
import { assessmentStarted, stageEnded } from '#modules/measurement/traits';
import { recordAssessmentPhase, recordMemberSuspension } from '#modules/people/members';
import { sendDigests } from './send-digests.ts';
import { sendMemberNotice } from './send-member-notice.ts';

const publicUrl = 'https://tessera.example';
const hour_ms = 3_600_000;
const day_ms = 24 * hour_ms;
const reminder = 'Your assessment waits where you left it';
const results = 'Your results are ready';
const app = await startApp({ TESSERA_PUBLIC_URL: publicUrl });

type Member = Awaited<ReturnType<typeof app.registerMember>>;

async function registerVerified(): Promise<Member> {
  const member = await app.registerMember();
  await app.request('POST', '/auth/verify-email', { body: { token: await readToken(member.email) } });
  return member;
}

async function readToken(email: string): Promise<string> {
  await app.drainQueue();
  const mail = (await app.readMails()).findLast(({ to }) => to.includes(email));
  return /token=([\w-]{43})/.exec(mail!.text)![1]!;
}

/** Begins an assessment, or ends a stage of one, as the operations do. */
async function record({ member_id }: Member, phase: 'in_progress' | 'complete'): Promise<void> {
  const happened = phase === 'complete' ? stageEnded : assessmentStarted;
  await app.sql.transaction(async (tx) => {
    await recordAssessmentPhase(app.platform, tx, member_id, phase);
    await app.platform.queue.emit(tx, happened, { member_id, at: app.clock.now().toISOString() });
  });
  await app.drainQueue();
}

/** The subjects of the emails that a person has got about the assessment, after the scheduled task. */
async function listSubjects({ email }: Member): Promise<readonly string[]> {
  await runTask(app, sendDigests, {});
  await app.drainQueue();
  const mails = await app.readMails();
  return mails
    .filter(({ to, subject }) => to.includes(email) && [reminder, results].includes(subject))
    .map(({ subject }) => subject);
}

/** Nobody has used the pages of an account for a day: an agent answers. */
const leavePages = ({ user_id }: Member) =>
  app.sql.run(sql`
    update sessions set last_used_at = ${new Date(app.clock.now().getTime() - day_ms)} where user_id = ${user_id}`);

test('an unfinished assessment is recalled once, three days after its start', async () => {
  const member = await registerVerified();
  await record(member, 'in_progress');
  app.clock.advance(3 * day_ms - hour_ms);
  expect(await listSubjects(member)).toEqual([]);
  app.clock.advance(hour_ms);
  expect(await listSubjects(member)).toEqual([reminder]);
  await record(member, 'in_progress');
  app.clock.advance(30 * day_ms);
  expect(await listSubjects(member)).toEqual([reminder]);
});

test('a finished assessment is not recalled', async () => {
  const member = await registerVerified();
  await record(member, 'in_progress');
  await record(member, 'complete');
  app.clock.advance(4 * day_ms);
  expect(await listSubjects(member)).toEqual([]);
});

test('results are announced an hour after a stage that ended away from the pages, and again after the next', async () => {
  const member = await registerVerified();
  await leavePages(member);
  await record(member, 'complete');
  expect(await listSubjects(member)).toEqual([]);
  app.clock.advance(hour_ms);
  expect(await listSubjects(member)).toEqual([results]);
  expect(await listSubjects(member)).toEqual([results]);
  await record(member, 'complete');
  app.clock.advance(hour_ms);
  expect(await listSubjects(member)).toEqual([results, results]);
});

test('results are not announced to a person who had the pages open', async () => {
  const member = await registerVerified();
  await record(member, 'complete');
  app.clock.advance(hour_ms);
  expect(await listSubjects(member)).toEqual([]);
});

test.each([
  [
    'turned off',
    (member: Member) =>
      app.request('PUT', '/members/me/notifications', {
        token: member.token,
        body: { match_proposed: 'never', assessment_unfinished: 'never' },
      }),
  ],
  [
    'suspended',
    (member: Member) =>
      app.sql.transaction((tx) => recordMemberSuspension(app.platform, tx, member.member_id, true)),
  ],
  ['about to be deleted', (member: Member) => app.request('DELETE', '/members/me', { token: member.token })],
] as const)('nothing is sent to an account that is %s', async (_, change) => {
  const member = await registerVerified();
  await record(member, 'in_progress');
  await change(member);
  app.clock.advance(3 * day_ms);
  expect(await listSubjects(member)).toEqual([]);
});

test('nothing is sent to an unverified address', async () => {
  const member = await app.registerMember();
  await record(member, 'in_progress');
  app.clock.advance(3 * day_ms);
  expect(await listSubjects(member)).toEqual([]);
});

test('a crash after the mail server has accepted an email does not repeat it, and a refused one is sent again', async () => {
  const member = await registerVerified();
  await record(member, 'in_progress');
  app.clock.advance(3 * day_ms);
  const notice = { user_id: member.user_id, kind: 'assessment_unfinished' } as const;
  const refuse = { mailer: { ...app.platform.mailer, send: () => Promise.reject(new Error('451 later')) } };
  await expect(runTask(app, sendMemberNotice, notice, refuse)).rejects.toThrow('451 later');
  await runTask(app, sendMemberNotice, notice);
  // The queue runs the task again, because the process ended before it was marked as done.
  await runTask(app, sendMemberNotice, notice);
  expect(await listSubjects(member)).toEqual([reminder]);
});

test('an email that the mail server refuses is given up after a week', async () => {
  const member = await registerVerified();
  await record(member, 'in_progress');
  app.clock.advance(10 * day_ms + 1);
  expect(await listSubjects(member)).toEqual([]);
});

test('refused emails keep no others waiting', async () => {
  const member = await registerVerified();
  await record(member, 'in_progress');
  app.clock.advance(3 * day_ms);
  // More than are queued at once, which have been due for longer and belong to closed accounts.
  const before = new Date(app.clock.now().getTime() - hour_ms);
  await app.sql.run(sql`
    with closed as (
      insert into users (id, email, password_hash, role, created_at, last_login)
      select gen_random_uuid(), 'closed-' || number || '@example.org', '', 'platform_admin', ${before}, ${before} from generate_series(1, 600) as number returning id)
    insert into member_notices (user_id, kind, member_id, happened_at, due_at)
    select id, 'assessment_unfinished', id, ${before}, ${before} from closed`);
  expect(await listSubjects(member)).toEqual([reminder]);
});

test('one click unsubscribes from this kind alone', async () => {
  const member = await registerVerified();
  await record(member, 'in_progress');
  app.clock.advance(3 * day_ms);
  await listSubjects(member);
  const folder = path.join(app.platform.config.dataDir, 'mail');
  const newest = (await readdir(folder)).toSorted().at(-1)!;
  const headers = await readFile(path.join(folder, newest), 'utf8');
  expect(headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  const [, url] = /^List-Unsubscribe: <https:\/\/tessera\.example(\/unsubscribe\/[^>]+)>\r?$/m.exec(headers)!;
  const reply = await app.server.inject({
    method: 'POST',
    url: url!,
    payload: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(reply.statusCode).toBe(200);
  const settings = await app.sql.one(sql<object>`
    select assessment_unfinished, results_ready from notification_settings where user_id = ${member.user_id}`);
  expect(settings).toEqual({ assessment_unfinished: 'never', results_ready: 'immediately' });
});
