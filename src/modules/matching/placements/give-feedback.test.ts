import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import {
  createAcceptedMatch,
  createPlacement,
  day_ms,
  readFeedback,
  sendFeedback,
  sendOutcome,
  type TestMatch,
} from '#test/modules/feedback.ts';
import { proves } from '#test/requirements.ts';
import { logInAgain } from '#test/users.ts';

const app = await startApp();

const answers = {
  overall_rating: 4,
  performance: 5,
  belonging: 3,
  growth: 2,
  would_repeat: true,
  comment: 'The handover could be better prepared.',
};

const addDays = (days: number) => new Date(app.clock.now().getTime() + days * day_ms).toISOString();

const compareNumbers = (one: number, other: number) => one - other;

const countRecords = async ({ match_id }: TestMatch) =>
  (await app.sql.list(sql`select from match_feedback where match_id = ${match_id}`)).length;

describe('once a stage has come', () => {
  it('the member and the organisation answer it, and both and platform administrators read both', async () => {
    proves('feedback-post-endpoint-jwt', 'feedback-get-endpoint-jwt', 'feedback-stages-30-90-180-days');
    const match = await createPlacement(app, 30);
    const { match_id, member, org } = match;
    const own = await sendFeedback(app, match, member.token, { stage_days: 30, ...answers });
    const created_at = app.clock.now().toISOString();
    const record = { id: expect.any(String), match_id, stage_days: 30, created_at };
    expect([own.status, own.body]).toEqual([201, { ...record, respondent: 'member', ...answers }]);
    const theirs = await sendFeedback(app, match, org.token, { stage_days: 30, overall_rating: 1 });
    const unanswered = {
      performance: null,
      belonging: null,
      growth: null,
      would_repeat: null,
      comment: null,
    };
    expect(theirs.body).toEqual({
      ...record,
      respondent: 'organisation',
      overall_rating: 1,
      ...unanswered,
    });
    const viewer = await createColleague(app, org.org_id, 'org_viewer');
    const auditor = await createColleague(app, org.org_id, 'auditor');
    const operator = await app.registerPlatformAdmin();
    for (const { token } of [member, org, viewer, auditor, operator]) {
      const { status, body } = await readFeedback(app, match, token);
      expect([status, body]).toEqual([
        200,
        {
          data: [own.body, theirs.body],
          stages: [
            { stage_days: 30, opens_at: created_at, given_by: ['member', 'organisation'] },
            { stage_days: 90, opens_at: addDays(60), given_by: [] },
            { stage_days: 180, opens_at: addDays(150), given_by: [] },
          ],
        },
      ]);
    }
    const entries = await app.sql.list(sql`
      select actor_user_id, member_id, org_id, detail from audit_log
      where action = 'feedback.feedback_given' and detail->>'match_id' = ${match_id} order by sequence`);
    const detail = { match_id, stage_days: 30 };
    expect(entries).toEqual([
      { actor_user_id: member.user_id, member_id: member.member_id, org_id: null, detail },
      { actor_user_id: org.user_id, member_id: null, org_id: org.org_id, detail },
    ]);
  });

  it('a second answer of the same side is refused, whichever administrator sends it', async () => {
    proves('feedback-one-per-respondent-per-stage', 'feedback-stages-30-90-180-days');
    const match = await createPlacement(app, 100);
    const colleague = await createColleague(app, match.org.org_id, 'org_admin');
    for (const stage_days of [30, 90]) {
      const body = { stage_days, overall_rating: 3 };
      expect((await sendFeedback(app, match, match.org.token, body)).status).toBe(201);
      for (const { token } of [match.org, colleague]) {
        const again = await sendFeedback(app, match, token, { ...body, overall_rating: 5 });
        expect([again.status, again.body.code]).toEqual([409, 'feedback_given']);
      }
      expect((await sendFeedback(app, match, match.member.token, body)).status).toBe(201);
    }
    const { data } = (await readFeedback(app, match, match.org.token)).body;
    expect(data.map((each: Record<string, unknown>) => each['overall_rating'])).toEqual([3, 3, 3, 3]);
  });

  it('one of several simultaneous answers is kept', async () => {
    const match = await createPlacement(app, 40);
    const replies = await Promise.all(
      [1, 2, 3, 4].map((overall_rating) =>
        sendFeedback(app, match, match.member.token, { stage_days: 30, overall_rating }),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted(compareNumbers)).toEqual([201, 409, 409, 409]);
    expect(await countRecords(match)).toBe(1);
  });

  it('a member answers after leaving the job, about the stages before the end', async () => {
    const match = await createPlacement(app, 200);
    await sendOutcome(app, match, { outcome: 'left', ended_at: addDays(-100) });
    const send = (stage_days: number) =>
      sendFeedback(app, match, match.member.token, { stage_days, overall_rating: 2 });
    expect((await send(90)).status).toBe(201);
    expect((await send(180)).body).toMatchObject({
      code: 'feedback_not_open',
      detail: 'The placement ended before day 180.',
    });
    const { stages } = (await readFeedback(app, match, match.member.token)).body;
    expect(stages.map((each: Record<string, unknown>) => each['stage_days'])).toEqual([30, 90]);
  });
});

describe('refuses, and stores nothing,', () => {
  it('feedback before the stage, to the millisecond', async () => {
    const match = await createPlacement(app);
    app.clock.advance(30 * day_ms - 1);
    const [org, member] = [await logInAgain(app, match.org), await logInAgain(app, match.member)];
    for (const token of [org, member]) {
      const reply = await sendFeedback(app, match, token, { stage_days: 30, overall_rating: 3 });
      expect([reply.status, reply.body.code]).toEqual([409, 'feedback_not_open']);
    }
    expect(await countRecords(match)).toBe(0);
    app.clock.advance(1);
    for (const token of [org, member])
      expect((await sendFeedback(app, match, token, { stage_days: 30, overall_rating: 3 })).status).toBe(201);
    expect((await sendFeedback(app, match, org, { stage_days: 90, overall_rating: 3 })).status).toBe(409);
  });

  it('feedback without a placement', async () => {
    const match = await createAcceptedMatch(app);
    const body = { stage_days: 30, overall_rating: 3 };
    expect((await sendFeedback(app, match, match.member.token, body)).body.code).toBe('feedback_not_open');
    await sendOutcome(app, match, { outcome: 'not_placed' });
    expect((await sendFeedback(app, match, match.org.token, body)).body.code).toBe('feedback_not_open');
    expect((await readFeedback(app, match, match.org.token)).body).toEqual({ data: [], stages: [] });
  });

  it('ratings that are out of range, and names the field', async () => {
    const match = await createPlacement(app, 31);
    const valid = { stage_days: 30, ...answers };
    const cases = [
      ...['overall_rating', 'performance', 'belonging', 'growth'].flatMap((name) =>
        [0, 6, -1, 1.5, '3', true].map((value) => [{ ...valid, [name]: value }, `/${name}`] as const),
      ),
      [{ ...valid, overall_rating: null }, '/overall_rating'],
      [{ ...valid, would_repeat: 'yes' }, '/would_repeat'],
      [{ ...valid, comment: '' }, '/comment'],
      [{ ...valid, comment: 'x'.repeat(2_001) }, '/comment'],
      ...[0, 29, 31, 365, '30', null].map((stage_days) => [{ ...valid, stage_days }, '/stage_days'] as const),
      [{ overall_rating: 3 }, '/stage_days'],
      [{ stage_days: 30 }, '/overall_rating'],
      [{ ...valid, score: 3 }, '/score'],
    ] as const;
    for (const [body, pointer] of cases) {
      const reply = await sendFeedback(app, match, match.member.token, body);
      expect([body, reply.status, reply.body.errors[0].pointer]).toEqual([body, 422, pointer]);
    }
    expect(await countRecords(match)).toBe(0);
  });

  it('strangers, viewers, auditors, platform administrators and anonymous callers', async () => {
    proves('feedback-get-participants-and-admins-only');
    const match = await createPlacement(app, 31);
    const body = { stage_days: 30, overall_rating: 3 };
    for (const { token } of [await app.registerOrgAdmin(), await app.registerMember()]) {
      expect((await sendFeedback(app, match, token, body)).body.code).toBe('match_not_found');
      expect((await readFeedback(app, match, token)).body.code).toBe('match_not_found');
    }
    const unknown = { ...match, match_id: unknownId };
    expect((await sendFeedback(app, unknown, match.org.token, body)).status).toBe(404);
    const viewer = await createColleague(app, match.org.org_id, 'org_viewer');
    const auditor = await createColleague(app, match.org.org_id, 'auditor');
    for (const { token } of [viewer, auditor, await app.registerPlatformAdmin()])
      expect((await sendFeedback(app, match, token, body)).status).toBe(403);
    expect((await sendFeedback(app, match, undefined, body)).status).toBe(401);
    expect((await app.request('GET', `/matches/${match.match_id}/feedback`)).status).toBe(401);
    expect(await countRecords(match)).toBe(0);
  });
});

it('the database refuses to change an answer', async () => {
  const match = await createPlacement(app, 31);
  await sendFeedback(app, match, match.member.token, { stage_days: 30, overall_rating: 3 });
  await expect(
    app.sql.run(sql`update match_feedback set overall_rating = 5 where match_id = ${match.match_id}`),
  ).rejects.toThrow('append-only');
});
