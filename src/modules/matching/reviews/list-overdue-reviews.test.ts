import { expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createMatch, day_ms } from '#test/modules/feedback.ts';
import { askForReview } from '#test/modules/reviews.ts';

const app = await startApp();

const read = (token: string | undefined, query = '') =>
  app.request('GET', `/operator/reviews${query}`, { ...(token && { token }) });

it('platform administrators list what organisations have not answered in time, without the member and their words', async () => {
  const match = await createMatch(app);
  await askForReview(app, match, { reason: 'Please look again.' });
  const before = await app.registerPlatformAdmin();
  expect((await read(before.token)).body.data).toEqual([]);
  app.clock.advance(15 * day_ms);
  const { token } = await app.registerPlatformAdmin();
  const { body } = await read(token);
  expect(body.data).toMatchObject([{ org_id: match.org.org_id, due_on: '2026-03-16' }]);
  const text = JSON.stringify(body);
  for (const word of [match.match_id, match.member.member_id, 'Please look again.'])
    expect(text).not.toContain(word);
});

it('nobody else does', async () => {
  const { org, member } = await createMatch(app);
  for (const { token } of [org, member]) expect((await read(token)).body.code).toBe('role_not_allowed');
  expect((await read(undefined)).status).toBe(401);
  const { token } = await app.registerPlatformAdmin();
  expect((await read(token, '?limit=0')).status).toBe(422);
});
