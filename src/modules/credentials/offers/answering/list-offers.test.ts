import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createVouchedMatch, listOffers, sendAnswer, sendAttestation } from '#test/modules/offers.ts';

const app = await startApp();

test('a member lists the offers to them in pages, by status, and no others', async () => {
  const match = await createVouchedMatch(app);
  const other = await createVouchedMatch(app);
  await sendAttestation(app, other);
  const ids = [];
  for (const text of ['One.', 'Two.', 'Three.']) {
    app.clock.advance(1_000);
    ids.push((await sendAttestation(app, match, { claims: { statement: text } })).body.id);
  }
  await sendAnswer(app, match, ids[0], { decision: 'decline' });
  const { token } = match.member;
  const readPage = async (query: string) =>
    (await app.request('GET', `/members/me/credential-offers?limit=2${query}`, { token })).body;
  const first = await readPage('');
  const second = await readPage(`&cursor=${first.pagination.next_cursor}`);
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids.toReversed());
  expect(second.pagination).toEqual({ next_cursor: null, has_more: false, total_count: 3 });
  expect((await listOffers(app, token, '?status=declined')).map(({ id }) => id)).toEqual([ids[0]]);
  expect((await readPage('&status=open')).pagination.total_count).toBe(2);
  const wrong = await app.request('GET', '/members/me/credential-offers?status=gone', { token });
  expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, '/status']);
  expect((await app.request('GET', '/members/me/credential-offers')).status).toBe(401);
  const refused = await app.request('GET', '/members/me/credential-offers', { token: match.org.token });
  expect(refused.status).toBe(403);
});
