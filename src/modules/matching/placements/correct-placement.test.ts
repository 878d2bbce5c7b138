import { describe, expect, it } from 'vitest';
import { lockMatch } from '#modules/matching/matches';
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
import { waitUntilBlocked } from '#test/wait-until-blocked.ts';

const app = await startApp();

const addDays = (days: number) => new Date(app.clock.now().getTime() + days * day_ms).toISOString();
const reason = 'The contract began later than planned.';

const sendCorrection = ({ match_id, org }: TestMatch, body: object, token: string | undefined = org.token) =>
  app.request('POST', `/matches/${match_id}/outcome/correction`, { ...(token && { token }), body });

const listOutcomes = async ({ match_id, org }: TestMatch) =>
  (await app.request('GET', `/matches/${match_id}/outcomes`, { token: org.token })).body.data;

describe('a corrected date', () => {
  it('counts for feedback that is sent while it is stored', async () => {
    const match = await createPlacement(app, 40);
    const started = await app.sql.transaction(async (tx) => {
      await lockMatch(tx, match.match_id);
      const correction = sendCorrection(match, { placed_at: addDays(-20), reason });
      await waitUntilBlocked(app);
      const feedback = sendFeedback(app, match, match.member.token, { stage_days: 30, overall_rating: 5 });
      await waitUntilBlocked(app, 2);
      return [correction, feedback];
    });
    const [correction, feedback] = await Promise.all(started);
    expect([correction!.status, feedback!.body.code]).toEqual([201, 'feedback_not_open']);
  });

  it('is a further record, moves the stages, and both dates are in the audit log', async () => {
    const match = await createPlacement(app, 40);
    const { status, body } = await sendCorrection(match, { placed_at: addDays(-20), reason });
    expect([status, body]).toMatchObject([
      201,
      { outcome: 'placed', placed_at: addDays(-20), ended_at: null, reason, corrects_date: true },
    ]);
    const outcomes = await listOutcomes(match);
    expect(outcomes).toMatchObject([{ placed_at: addDays(-40), corrects_date: false }, body]);
    const { stages } = (await readFeedback(app, match, match.member.token)).body;
    expect(stages[0]).toMatchObject({ stage_days: 30, opens_at: addDays(10) });
    expect(
      await app.sql.one(
        sql`select stage_days, opens_at from feedback_stages where match_id = ${match.match_id}`,
      ),
    ).toMatchObject({ stage_days: 30, opens_at: new Date(addDays(10)) });
    const entry = await app.sql.one(sql`
      select org_id, member_id, detail from audit_log
      where action = 'feedback.placement_corrected' and detail->>'match_id' = ${match.match_id}`);
    expect(entry).toMatchObject({
      org_id: match.org.org_id,
      member_id: match.member.member_id,
      detail: { placed_at_before: addDays(-40), placed_at: addDays(-20) },
    });
    const event = await app.sql.one(sql`
      select data from events where type = 'placement.updated' and data->>'match_id' = ${match.match_id}`);
    expect(event).toMatchObject({ data: { outcome: 'placed', placed_at: addDays(-20) } });
    // What follows has the right date.
    expect((await sendOutcome(app, match, { outcome: 'left' })).body).toMatchObject({
      placed_at: addDays(-20),
      corrects_date: false,
    });
  });

  it('is refused if feedback would have been given before its stage', async () => {
    const match = await createPlacement(app, 31);
    await sendFeedback(app, match, match.member.token, { stage_days: 30, overall_rating: 4 });
    const later = await sendCorrection(match, { placed_at: addDays(-29), reason });
    expect([later.status, later.body.code]).toEqual([409, 'outcome_conflict']);
    expect((await sendCorrection(match, { placed_at: addDays(-30), reason })).status).toBe(201);
  });

  it('is refused without a placement', async () => {
    const match = await createAcceptedMatch(app);
    const { status, body } = await sendCorrection(match, { placed_at: addDays(-1), reason });
    expect([status, body.code]).toEqual([409, 'outcome_conflict']);
    const { match_status } = await app.sql.one(sql<{ match_status: string }>`
      select match_status from matches where id = ${match.match_id}`);
    expect(match_status).toBe('member_accepted');
  });

  it('is refused after the end, the same, too old, too far ahead, or without a reason', async () => {
    const match = await createPlacement(app, 10);
    await sendOutcome(app, match, { outcome: 'left', ended_at: addDays(-2) });
    for (const [placed_at, pointer] of [
      [addDays(-1), '/placed_at'],
      [addDays(-10), '/placed_at'],
      [addDays(-4000), '/placed_at'],
      [addDays(400), '/placed_at'],
      ['yesterday', '/placed_at'],
    ]) {
      const { status, body } = await sendCorrection(match, { placed_at, reason });
      expect([placed_at, status, body.errors[0].pointer]).toEqual([placed_at, 422, pointer]);
    }
    const { body } = await sendCorrection(match, { placed_at: addDays(-5) });
    expect(body.errors[0].pointer).toBe('/reason');
    expect(await listOutcomes(match)).toHaveLength(2);
  });

  it('is for administrators of the organisation', async () => {
    const match = await createPlacement(app, 10);
    const body = { placed_at: addDays(-5), reason };
    const viewer = await createColleague(app, match.org.org_id, 'org_viewer');
    const operator = await app.registerPlatformAdmin();
    for (const { token } of [viewer, operator, match.member])
      expect((await sendCorrection(match, body, token)).body.code).toBe('role_not_allowed');
    const stranger = await app.registerOrgAdmin();
    expect((await sendCorrection(match, body, stranger.token)).body.code).toBe('match_not_found');
    expect((await sendCorrection({ ...match, match_id: unknownId }, body)).body.code).toBe('match_not_found');
    expect((await sendCorrection(match, body, '')).status).toBe(401);
    expect(await listOutcomes(match)).toHaveLength(1);
  });
});
