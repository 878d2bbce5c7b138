import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createAcceptedMatch, sendOutcome } from '#test/modules/feedback.ts';
import { createMarket, payProfile, proposeProfile } from '#test/modules/marketplace.ts';
import { answerReview, askForReview } from '#test/modules/reviews.ts';

const app = await startApp();
const readWaiting = async (token: string) => (await app.request('GET', '/orgs/me/waiting', { token })).body;

test('an organisation reads how many acceptances, proposals and reviews wait, until each is answered', async () => {
  const match = await createAcceptedMatch(app);
  const { org } = match;
  const market = await createMarket(app, { org });
  expect(await readWaiting(org.token)).toEqual({ matches: 1, reads: 0, reviews: 0 });
  expect((await askForReview(app, match)).status).toBe(201);
  expect((await proposeProfile(app, market, 0.8)).status).toBe(201);
  expect(await readWaiting(org.token)).toEqual({ matches: 1, reads: 1, reviews: 1 });
  await answerReview(app, match);
  // Of the organisation's two jobs that the member matches, either may be the one by which it knows the member.
  const pending = await app.request('GET', '/marketplace/my-purchases?status=pending', { token: org.token });
  await payProfile(app, { org, alias: pending.body.data[0].member_id }, 0.8);
  await sendOutcome(app, match, { outcome: 'placed', placed_at: app.clock.now().toISOString() });
  expect(await readWaiting(org.token)).toEqual({ matches: 0, reads: 0, reviews: 0 });
});

test('nothing of another organisation is counted, and members and organisations without a verified address are refused', async () => {
  const match = await createAcceptedMatch(app);
  const other = await app.registerOrgAdmin();
  expect(await readWaiting(other.token)).toEqual({ matches: 0, reads: 0, reviews: 0 });
  expect((await app.request('GET', '/orgs/me/waiting')).status).toBe(401);
  const refused = await app.request('GET', '/orgs/me/waiting', { token: match.member.token });
  expect(refused.status).toBe(403);
  const unverified = await app.registerOrgAdmin({ is_verified: false });
  expect((await readWaiting(unverified.token)).code).toBe('email_not_verified');
});
