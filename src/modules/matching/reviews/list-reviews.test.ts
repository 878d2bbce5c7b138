import { expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createMatch } from '#test/modules/feedback.ts';
import { askForReview, readReviews } from '#test/modules/reviews.ts';

const app = await startApp();

it('strangers read no reviews of a match', async () => {
  const [match, other] = [await createMatch(app), await createMatch(app)];
  await askForReview(app, match);
  for (const { token } of [other.member, other.org])
    expect((await readReviews(app, match, token)).status).toBe(404);
  expect((await app.request('GET', `/matches/${match.match_id}/reviews`)).status).toBe(401);
});
