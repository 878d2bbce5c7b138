import { beforeEach, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import {
  createPlacement,
  day_ms,
  sendFeedback,
  sendOutcome,
  type TestMatch,
} from '#test/modules/feedback.ts';
import { fillSlots, insertMembers, runTask } from '#test/modules/matching.ts';
import { logInAgain } from '#test/users.ts';
import { openStages } from './open-stages.ts';

let match: TestMatch;
let before: number;
let colleagues: string[];
const app = await startApp({ TESSERA_PUBLIC_URL: 'https://tessera.example' });
beforeEach(async () => {
  match = await createPlacement(app);
  await app.drainQueue();
  before = (await app.readMails()).length;
  colleagues = [];
});

/** Runs the hourly task, and what it starts. @returns the emails to both sides since the test began. Earlier tests have placements, too. */
async function sendReminders() {
  await runTask(app, openStages, {});
  await app.drainQueue();
  const { member, org } = match;
  const mails = (await app.readMails()).slice(before);
  return mails.filter(({ to }) => [member.email, org.email, ...colleagues].includes(to));
}

const listStageEvents = () =>
  app.sql.list(sql<{ stage_days: number }>`
    select (data->>'stage_days')::integer as stage_days from events
    where type = 'feedback.stage_opened' and data->>'match_id' = ${match.match_id} order by created_at`);

const subject = 'How is the placement going?';

it('reminds both sides once when each stage opens, and not before', async () => {
  app.clock.advance(30 * day_ms - 1);
  expect(await sendReminders()).toEqual([]);
  app.clock.advance(1);
  const mails = await sendReminders();
  expect(mails.map((mail) => `${mail.to}: ${mail.subject}`).toSorted()).toEqual(
    [match.member.email, match.org.email].map((to) => `${to}: ${subject}`).toSorted(),
  );
  const text = mails.map((mail) => mail.text).join('\n');
  expect(text).toContain(`https://tessera.example/app/matches/${match.match_id}`);
  expect(text).toContain(
    `https://tessera.example/app/jobs/${match.job_id}?status=placed&match=${match.match_id}`,
  );
  expect(await sendReminders()).toHaveLength(2);
  for (const [days, count] of [
    [59, 2],
    [1, 4],
    [90, 6],
    [300, 6],
  ] as const) {
    app.clock.advance(days * day_ms);
    expect([days, (await sendReminders()).length]).toEqual([days, count]);
  }
  expect((await listStageEvents()).map(({ stage_days }) => stage_days)).toEqual([30, 90, 180]);
  expect(await app.sql.list(sql`select from feedback_stages where match_id = ${match.match_id}`)).toEqual([]);
});

it('reminds of the latest stage alone if a placement is recorded late', async () => {
  match = await createPlacement(app, 100);
  const mails = await sendReminders();
  const own = mails.filter((mail) => mail.to === match.member.email && mail.subject === subject);
  expect(own).toHaveLength(1);
  expect(await listStageEvents()).toEqual([{ stage_days: 90 }]);
});

it('emits each stage once, however many nodes look at the same time', async () => {
  app.clock.advance(30 * day_ms);
  await Promise.all([1, 2, 3, 4].map(() => runTask(app, openStages, {})));
  expect(await listStageEvents()).toEqual([{ stage_days: 30 }]);
});

it('works through more placements than a batch', async () => {
  const vector = { mean: fillSlots(-3), variance: fillSlots(0.15) };
  const members = await insertMembers(
    app,
    Array.from({ length: 450 }, () => vector),
  );
  app.clock.advance(30 * day_ms);
  await app.sql.run(sql`
    insert into matches (id, member_id, job_id, org_id, match_quality, confidence_level, version, provisional, match_status, computed_at, created_at)
    select overlay(gen_random_uuid()::text placing left(${match.job_id}, 18) from 1)::uuid, member_id, ${match.job_id}, ${match.org.org_id},
      'strong', 'high', 1, false, 'placed', ${app.clock.now()}, ${app.clock.now()} from unnest(${members}::uuid[]) as member_id`);
  await app.sql.run(sql`
    insert into match_outcomes (job_id, match_id, number, id, outcome, placed_at, recorded_at)
    select job_id, id, 1, gen_random_uuid(), 'placed', ${app.clock.now()}::timestamptz - interval '31 days', ${app.clock.now()}
    from matches where job_id = ${match.job_id} and id <> ${match.match_id} and match_status = 'placed'`);
  await app.sql.run(sql`
    insert into feedback_stages (job_id, match_id, stage_days, opens_at)
    select job_id, id, 30, ${app.clock.now()} from matches where job_id = ${match.job_id} and id <> ${match.match_id} and match_status = 'placed'`);
  await runTask(app, openStages, {});
  const opened = await app.sql.list(sql`
    select from events where type = 'feedback.stage_opened' and data->>'job_id' = ${match.job_id}`);
  expect(opened).toHaveLength(451);
  await app.sql.run(sql`delete from tasks`);
  await app.sql.run(
    sql`delete from matches where job_id = ${match.job_id} and id <> ${match.match_id} and match_status = 'placed'`,
  );
});

it('the end of a placement ends later reminders, and not those of stages before it', async () => {
  await sendOutcome(app, match, {
    outcome: 'left',
    ended_at: new Date(app.clock.now().getTime() + 60 * day_ms).toISOString(),
  });
  app.clock.advance(30 * day_ms);
  expect(await sendReminders()).toHaveLength(2);
  app.clock.advance(200 * day_ms);
  expect(await sendReminders()).toHaveLength(2);
  match = await createPlacement(app);
  await sendOutcome(app, match, { outcome: 'left' });
  expect(await app.sql.list(sql`select from feedback_stages where match_id = ${match.match_id}`)).toEqual([]);
});

it('reminds nobody who does not want it, has answered, has left, or is no administrator', async () => {
  const viewer = await createColleague(app, match.org.org_id, 'org_viewer');
  colleagues.push(viewer.email);
  await app.sql.run(
    sql`update users set email_verified_at = ${app.clock.now()} where id = ${viewer.user_id}`,
  );
  await app.request('PUT', `/orgs/me/jobs/${match.job_id}/following`, {
    token: viewer.token,
    body: { following: true },
  });
  await app.request('PUT', '/members/me/notifications', {
    token: match.member.token,
    body: { match_proposed: 'immediately', feedback_open: 'never' },
  });
  app.clock.advance(30 * day_ms);
  expect((await sendReminders()).map(({ to }) => to)).toEqual([match.org.email]);
  app.clock.advance(60 * day_ms);
  // The organisation answers after the stage has opened, and before the email is sent.
  await runTask(app, openStages, {});
  const token = await logInAgain(app, match.org);
  await sendFeedback(app, match, token, { stage_days: 90, overall_rating: 3 });
  expect(await sendReminders()).toHaveLength(1);
});

it('a weekly reminder comes with the digest', async () => {
  await app.request('PUT', '/members/me/notifications', {
    token: match.member.token,
    body: { match_proposed: 'immediately', feedback_open: 'weekly' },
  });
  app.clock.advance(30 * day_ms);
  expect((await sendReminders()).map(({ to }) => to)).toEqual([match.org.email]);
  const waiting = await app.sql.list(sql`
    select kind from waiting_notices where user_id = ${match.member.user_id} and match_id = ${match.match_id}`);
  expect(waiting).toEqual([{ kind: 'feedback_open' }]);
});

it('reminds nobody of a placement whose member has withdrawn', async () => {
  await app.request('POST', '/members/me/consent', {
    token: match.member.token,
    body: { consent_type: 'matching', granted: false, version: '1.0' },
  });
  await app.drainQueue();
  app.clock.advance(30 * day_ms);
  expect(await sendReminders()).toEqual([]);
});
