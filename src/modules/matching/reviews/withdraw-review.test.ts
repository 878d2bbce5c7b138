import { describe, expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createMatch } from '#test/modules/feedback.ts';
import { answerReview, askForReview, readReviews, withdrawReview } from '#test/modules/reviews.ts';

const app = await startApp();

const decideMatching = (token: string, granted: boolean) =>
  app.request('POST', '/members/me/consent', {
    token,
    body: { consent_type: 'matching', granted, version: '1.0' },
  });

describe('a withdrawal', () => {
  it('ends the request, and the record of it stays', async () => {
    const match = await createMatch(app);
    await askForReview(app, match);
    const withdrawn = await withdrawReview(app, match);
    expect([withdrawn.status, withdrawn.body]).toMatchObject([
      200,
      { status: 'withdrawn', closed_on: '2026-03-02' },
    ]);
    expect((await readReviews(app, match, match.org.token)).body.data).toEqual([withdrawn.body]);
    const again = await withdrawReview(app, match);
    expect([again.status, again.body.code]).toEqual([409, 'review_not_open']);
  });

  it('is for the member who asked', async () => {
    const [match, other] = [await createMatch(app), await createMatch(app)];
    await askForReview(app, match);
    const foreign = await withdrawReview(app, { ...match, member: other.member });
    expect([foreign.status, foreign.body.code]).toEqual([404, 'match_not_found']);
    const path = `/matches/${match.match_id}/review/withdraw`;
    expect((await app.request('POST', path, { token: match.org.token, body: {} })).status).toBe(403);
    expect((await app.request('POST', path, { body: {} })).status).toBe(401);
    expect((await readReviews(app, match, match.member.token)).body.data[0].status).toBe('open');
  });

  it('of the consent ends open requests, and the organisation cannot answer from then on', async () => {
    const match = await createMatch(app);
    await askForReview(app, match);
    await decideMatching(match.member.token, false);
    const answer = await answerReview(app, match);
    expect([answer.status, answer.body.code]).toEqual([409, 'match_ended']);
    await app.drainQueue();
    expect((await readReviews(app, match, match.member.token)).body.data[0]).toMatchObject({
      status: 'ended',
      outcome: null,
    });
  });
});
