import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createJob, fillMeans, runTask, tierMeans } from '#test/modules/matching.ts';
import { sql } from '#platform/database/database.ts';
import { computeDigestTime } from './rules.ts';
import { sendDigests } from './send-digests.ts';
import { sendMemberNotice } from './send-member-notice.ts';
import { listSettings } from './store.ts';

const app = await startApp({ TESSERA_PUBLIC_URL: 'https://tessera.example' });

type Member = Awaited<ReturnType<typeof registerFitting>>;

async function registerFitting(matches_found: string | undefined = 'weekly') {
  const member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
  await app.sql.run(
    sql`update users set email_verified_at = ${app.clock.now()} where id = ${member.user_id}`,
  );
  if (matches_found) await choose(member, matches_found);
  return member;
}

const choose = (member: { readonly token: string }, matches_found: string) =>
  app.request('PUT', '/members/me/notifications', {
    token: member.token,
    body: { match_proposed: 'never', matches_found },
  });

/** Posts a job of an organisation of its own, because a login does not last for weeks. */
async function postJob(title: string): Promise<void> {
  app.clock.advance(1_000);
  const { token } = await app.registerOrgAdmin({ name: `The employer of a ${title.toLowerCase()}` });
  await createJob(app, token, undefined, title);
  await app.drainQueue();
}

/** Waits for Monday, and returns the emails about new jobs that the member has got by then. */
async function readSummaries({ email }: Member) {
  app.clock.set(computeDigestTime(app.clock.now()));
  await runTask(app, sendDigests, {});
  await app.drainQueue();
  const mails = await app.readMails();
  return mails.filter(
    ({ to, subject }) => to.includes(email) && /^(?:A new job fits|New jobs fit) you$/.test(subject),
  );
}

test('a member who asks for it reads on Monday which jobs of the week fit, in words, and nothing in a week without', async () => {
  const member = await registerFitting();
  await postJob('Night nurse');
  const [first, ...others] = await readSummaries(member);
  expect([first!.subject, others]).toEqual(['A new job fits you', []]);
  expect(first!.text).toMatch(
    /Night nurse\s+at\s+The employer of a night nurse\s+An? (?:strong|exceptional) match: taken together, you have/,
  );
  expect(first!.text).toContain('https://tessera.example/app/matches');
  expect(await readSummaries(member)).toHaveLength(1);
  await postJob('Ward nurse');
  await postJob('Home nurse');
  const [, second] = await readSummaries(member);
  expect(second!.subject).toBe('New jobs fit you');
  expect(second!.text).toMatch(/(?:Ward|Home) nurse[\s\S]*(?:Ward|Home) nurse/);
  expect(second!.text).not.toContain('Night nurse');
});

test.each([
  ['has not asked', (member: Member) => choose(member, 'never')],
  ['never chose anything', undefined],
  [
    'left matching',
    (member: Member) =>
      app.request('POST', '/members/me/consent', {
        token: member.token,
        body: { consent_type: 'matching', granted: false, version: '1.0' },
      }),
  ],
  ['closes the account', (member: Member) => app.request('DELETE', '/members/me', { token: member.token })],
] as const)('nothing is sent to a member who %s', async (_, change) => {
  const member = await registerFitting(change ? 'weekly' : '');
  await postJob('Day nurse');
  await change?.(member);
  expect(await readSummaries(member)).toEqual([]);
});

test('a refused summary is sent again, and neither a crash nor weeks without the service end all later ones', async () => {
  const member = await registerFitting();
  await postJob('Evening nurse');
  app.clock.set(computeDigestTime(app.clock.now()));
  const notice = { user_id: member.user_id, kind: 'matches_found' } as const;
  const refuse = { mailer: { ...app.platform.mailer, send: () => Promise.reject(new Error('451 later')) } };
  await expect(runTask(app, sendMemberNotice, notice, refuse)).rejects.toThrow('451 later');
  await runTask(app, sendMemberNotice, notice);
  await runTask(app, sendMemberNotice, notice);
  app.clock.advance(21 * 86_400_000);
  await postJob('Morning nurse');
  const [first, second, ...others] = await readSummaries(member);
  // The first week had jobs of other tests too.
  expect(first).toBeDefined();
  expect([second!.subject, second!.text]).toEqual([
    'A new job fits you',
    expect.stringContaining('Morning nurse'),
  ]);
  expect(others).toEqual([]);
});

test('the copy of a member’s data has every setting that the member can choose', async () => {
  const member = await registerFitting();
  const { body } = await app.request('GET', '/members/me/notifications', { token: member.token });
  const [copied] = await listSettings(app.sql, [member.user_id]);
  expect(Object.keys(copied!).toSorted()).toEqual([...Object.keys(body), 'updated_at'].toSorted());
});
