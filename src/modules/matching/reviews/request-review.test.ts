import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { lockMember } from '#modules/people/members';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createMatch, type TestMatch } from '#test/modules/feedback.ts';
import { waitUntilBlocked } from '#test/wait-until-blocked.ts';
import { answerReview, askForReview, readReviews, withdrawReview } from '#test/modules/reviews.ts';

const app = await startApp();

const countReviews = async ({ match_id }: TestMatch) =>
  (await app.sql.list(sql`select from match_reviews where match_id = ${match_id}`)).length;

const decideMatching = (token: string, granted: boolean) =>
  app.request('POST', '/members/me/consent', {
    token,
    body: { consent_type: 'matching', granted, version: '1.0' },
  });

describe('a member asks for a human review', () => {
  it('and both sides read it with the due date, and the log of the organisation has no time of it', async () => {
    const match = await createMatch(app);
    const { match_id, member, org } = match;
    const asked = await askForReview(app, match, { reason: 'My years as a paramedic are missing.' });
    const review = {
      id: expect.any(String),
      match_id,
      status: 'open',
      is_overdue: false,
      reason: 'My years as a paramedic are missing.',
      requested_on: '2026-03-02',
      due_on: '2026-03-16',
      outcome: null,
      answer: null,
      closed_on: null,
    };
    expect([asked.status, asked.body]).toEqual([201, review]);
    expect(asked.headers['location']).toMatch(`/api/v1/matches/${match_id}/reviews`);
    const viewer = await createColleague(app, org.org_id, 'org_viewer');
    const operator = await app.registerPlatformAdmin();
    for (const { token } of [member, org, viewer, operator])
      expect((await readReviews(app, match, token)).body).toEqual({ data: [review] });
    const entries = await app.sql.list(sql`
      select action, member_id, org_id from audit_log where detail->>'review_id' = ${asked.body.id}`);
    expect(entries).toEqual([
      { action: 'reviews.review_requested', member_id: member.member_id, org_id: null },
    ]);
  });

  it('once at a time, and three times in all', async () => {
    const match = await createMatch(app);
    expect((await askForReview(app, match)).status).toBe(201);
    const again = await askForReview(app, match);
    expect([again.status, again.body.code]).toEqual([409, 'review_open']);
    await withdrawReview(app, match);
    expect((await askForReview(app, match)).status).toBe(201);
    await answerReview(app, match);
    expect((await askForReview(app, match)).status).toBe(201);
    await withdrawReview(app, match);
    const fourth = await askForReview(app, match);
    expect([fourth.status, fourth.body.code]).toEqual([409, 'review_limit_reached']);
    expect(await countReviews(match)).toBe(3);
  });

  it('and two requests at the same time make one', async () => {
    const match = await createMatch(app);
    const replies = await Promise.all([askForReview(app, match), askForReview(app, match)]);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 409]));
    expect(await countReviews(match)).toBe(1);
  });

  it('and a computation that deletes the match at the same time leaves no match to ask about', async () => {
    const match = await createMatch(app);
    const asked = await app.sql.transaction(async (tx) => {
      await tx.run(sql`delete from matches where id = ${match.match_id}`);
      const request = askForReview(app, match);
      await waitUntilBlocked(app);
      return [request];
    });
    const [reply] = await Promise.all(asked);
    expect([reply!.status, reply!.body.code]).toEqual([404, 'match_not_found']);
    expect(await countReviews(match)).toBe(0);
  });

  it('and a consent that is withdrawn at the same time leaves no open request', async () => {
    const match = await createMatch(app);
    const started = await app.sql.transaction(async (tx) => {
      await lockMember(tx, match.member.member_id);
      const withdrawal = decideMatching(match.member.token, false);
      await waitUntilBlocked(app);
      const request = askForReview(app, match);
      await waitUntilBlocked(app, 2);
      return [withdrawal, request];
    });
    const [withdrawal, request] = await Promise.all(started);
    expect([withdrawal!.status, request!.body.code]).toEqual([201, 'match_ended']);
    expect(await countReviews(match)).toBe(0);
  });

  it('and the match stays until it is answered, even if it is no longer found', async () => {
    const [match, other] = [await createMatch(app), await createMatch(app)];
    await askForReview(app, match);
    for (const { job_id, org } of [match, other])
      await app.request('PATCH', `/orgs/me/jobs/${job_id}`, {
        token: org.token,
        body: { trait_priorities: { discretion: 1 } },
      });
    await app.drainQueue();
    expect((await answerReview(app, match)).status).toBe(200);
    expect((await askForReview(app, other)).status).toBe(404);
  });

  it('and what became of it stays when the member consents to matching again', async () => {
    const match = await createMatch(app);
    await askForReview(app, match);
    await decideMatching(match.member.token, false);
    await app.drainQueue();
    await decideMatching(match.member.token, true);
    await app.drainQueue();
    const { body } = await readReviews(app, match, match.member.token);
    expect(body.data).toMatchObject([{ status: 'ended', outcome: null }]);
    const again = await app.request('GET', `/matches/${match.match_id}`, { token: match.member.token });
    expect([again.status, again.body.match_status]).toEqual([200, 'pending_review']);
    // The right is not used up by the withdrawal.
    expect((await askForReview(app, match)).status).toBe(201);
  });

  it('and what became of it stays when the job is closed and opened again', async () => {
    const match = await createMatch(app);
    await askForReview(app, match);
    await answerReview(app, match);
    for (const status of ['closed', 'active']) {
      const changed = await app.request('PATCH', `/orgs/me/jobs/${match.job_id}`, {
        token: match.org.token,
        body: { status },
      });
      expect(changed.status).toBe(200);
      await app.drainQueue();
    }
    const { status, body } = await readReviews(app, match, match.member.token);
    expect([status, body.data]).toMatchObject([200, [{ status: 'answered', outcome: 'upheld' }]]);
  });

  it('but not after withdrawing the consent to matching', async () => {
    const match = await createMatch(app);
    await decideMatching(match.member.token, false);
    const { status, body } = await askForReview(app, match);
    expect([status, body.code]).toEqual([409, 'match_ended']);
    expect(await countReviews(match)).toBe(0);
  });

  it.each([
    ['an empty reason', { reason: '' }, '/reason'],
    ['a reason that is too long', { reason: 'x'.repeat(1001) }, '/reason'],
    ['an unknown field', { urgency: 'high' }, '/urgency'],
  ])('and %s is refused and changes nothing', async (_, body, pointer) => {
    const match = await createMatch(app);
    const reply = await askForReview(app, match, body);
    expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, pointer]);
    expect(await countReviews(match)).toBe(0);
  });

  it('about a match of theirs, and nobody else does', async () => {
    const match = await createMatch(app);
    const stranger = await app.registerMember();
    expect((await askForReview(app, match, {}, stranger.token)).body.code).toBe('match_not_found');
    expect((await askForReview(app, { ...match, match_id: unknownId })).body.code).toBe('match_not_found');
    expect((await askForReview(app, match, {}, match.org.token)).body.code).toBe('role_not_allowed');
    expect((await askForReview(app, match, {}, '')).status).toBe(401);
    expect(await countReviews(match)).toBe(0);
  });
});
