import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createVouchedMatch, sendAnswer, sendAttestation } from '#test/modules/offers.ts';

const app = await startApp();

test('an organisation lists what it has attested, with what became of it, and nothing of others', async () => {
  const match = await createVouchedMatch(app);
  await sendAttestation(app, await createVouchedMatch(app));
  const { body: first } = await sendAttestation(app, match, { claims: { statement: 'One.' } });
  app.clock.advance(1_000);
  const { body: second } = await sendAttestation(app, match, { claims: { statement: 'Two.' } });
  await sendAnswer(app, match, first.id, { decision: 'dispute', reason: 'It was two seasons.' });
  const { token } = match.org;
  const list = async (query: string) =>
    (await app.request('GET', `/orgs/me/credentials${query}`, { token })).body;
  expect((await list('')).data).toMatchObject([
    { id: second.id, status: 'open', member_id: match.member.member_id, match_id: match.match_id },
    { id: first.id, status: 'disputed', reason: 'It was two seasons.' },
  ]);
  const page = await list('?limit=1&status=open');
  expect([page.data, page.pagination.total_count]).toMatchObject([[{ id: second.id }], 1]);
  expect((await list('?cursor=x')).code).toBe('cursor_invalid');
  expect((await app.request('GET', '/orgs/me/credentials')).status).toBe(401);
  const refused = await app.request('GET', '/orgs/me/credentials', { token: match.member.token });
  expect(refused.status).toBe(403);
});
