import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { createMatch } from '#test/modules/feedback.ts';
import { answerReview, askForReview, readReviews, reviewAnswer } from '#test/modules/reviews.ts';

const app = await startApp();

describe('an answer', () => {
  it('is read by the member, and both sides have it in their audit log', async () => {
    const match = await createMatch(app);
    const { body: asked } = await askForReview(app, match);
    const answered = await answerReview(app, match);
    expect([answered.status, answered.body]).toMatchObject([
      200,
      { status: 'answered', ...reviewAnswer, closed_on: '2026-03-02' },
    ]);
    expect((await readReviews(app, match, match.member.token)).body.data).toEqual([answered.body]);
    const entries = await app.sql.list(sql`
      select member_id, org_id, detail from audit_log
      where action = 'reviews.review_answered' and detail->>'review_id' = ${asked.id}`);
    expect(entries).toMatchObject([
      {
        member_id: match.member.member_id,
        org_id: match.org.org_id,
        detail: { outcome: 'upheld', is_late: false },
      },
    ]);
    const again = await answerReview(app, match, { ...reviewAnswer, outcome: 'changed' });
    expect([again.status, again.body.code]).toEqual([409, 'review_not_open']);
  });

  it.each([
    ['without an outcome', { answer: 'Because.' }, '/outcome'],
    ['without words', { outcome: 'upheld' }, '/answer'],
    ['with an unknown outcome', { outcome: 'ignored', answer: 'Because.' }, '/outcome'],
    ['that is too long', { outcome: 'upheld', answer: 'x'.repeat(2001) }, '/answer'],
  ])('%s is refused and changes nothing', async (_, body, pointer) => {
    const match = await createMatch(app);
    await askForReview(app, match);
    const reply = await answerReview(app, match, body);
    expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, pointer]);
    expect((await readReviews(app, match, match.member.token)).body.data[0].status).toBe('open');
  });

  it('is for administrators of the organisation', async () => {
    const [match, other] = [await createMatch(app), await createMatch(app)];
    await askForReview(app, match);
    const auditor = await createColleague(app, match.org.org_id, 'auditor');
    const operator = await app.registerPlatformAdmin();
    for (const { token } of [auditor, operator, match.member])
      expect((await answerReview(app, match, reviewAnswer, token)).body.code).toBe('role_not_allowed');
    const foreign = await answerReview(app, match, reviewAnswer, other.org.token);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'match_not_found']);
    expect((await answerReview(app, match, reviewAnswer, '')).status).toBe(401);
  });
});
