import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createStrangeMatch, createVouchedMatch, sendAnswer, sendAttestation } from '#test/modules/offers.ts';

const app = await startApp();
const readWaiting = async (token: string) =>
  (await app.request('GET', '/members/me/waiting', { token })).body;

test('a member reads how many organisations wait, until they answer', async () => {
  const { match_id, member, org } = await createStrangeMatch(app);
  const { token } = member;
  expect(await readWaiting(token)).toEqual({ matches: 0, offers: 0 });
  const body = { status: 'org_interested' };
  await app.request('PUT', `/matches/${match_id}/status`, { token: org.token, body });
  expect(await readWaiting(token)).toEqual({ matches: 1, offers: 0 });
  await app.request('POST', `/matches/${match_id}/response`, { token, body: { decision: 'accept' } });
  expect(await readWaiting(token)).toEqual({ matches: 0, offers: 0 });
});

test('a member reads how many offers wait, until they answer', async () => {
  const match = await createVouchedMatch(app);
  const offer = (await sendAttestation(app, match)).body;
  expect(await readWaiting(match.member.token)).toEqual({ matches: 0, offers: 1 });
  await sendAnswer(app, match, offer.id, { decision: 'decline' });
  expect(await readWaiting(match.member.token)).toEqual({ matches: 0, offers: 0 });
});

test('nothing of another member is counted, and organisations are refused', async () => {
  const match = await createVouchedMatch(app);
  await sendAttestation(app, match);
  const other = await app.registerMember();
  expect(await readWaiting(other.token)).toEqual({ matches: 0, offers: 0 });
  expect((await app.request('GET', '/members/me/waiting')).status).toBe(401);
  const refused = await app.request('GET', '/members/me/waiting', { token: match.org.token });
  expect(refused.status).toBe(403);
});
