import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { insertFinding } from '#test/modules/findings.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';

const app = await startApp();
const { token } = await app.registerPlatformAdmin();
const read = async (query = '') =>
  (await app.request('GET', `/operator/item-findings${query}`, { token })).body;

test('findings are listed in pages, the newest first, with their statements and what can be decided', async () => {
  const weak = await insertFinding(app);
  app.clock.advance(1_000);
  const pair = await insertFinding(app, { kind: 'dependent', item_ids: ['sincerity_01', 'sincerity_02'] });
  app.clock.advance(1_000);
  const gone = await insertFinding(app, {
    kind: 'differs',
    item_ids: ['gone_01'],
    subject: 'gender woman',
    compared_with: 'man',
  });
  const { data, pagination } = await read('?limit=2');
  expect(data.map(({ finding_id }: { finding_id: string }) => finding_id)).toEqual([gone, pair]);
  expect(data[0]).toMatchObject({
    statements: [{ item_id: 'gone_01', trait: null, text: null }],
    subject: 'gender woman',
    compared_with: 'man',
    state: 'open',
    choices: ['less_weight', 'retire', 'dismiss'],
  });
  expect(data[1].choices).toEqual(['enemies', 'less_weight', 'retire', 'dismiss']);
  const rest = await read(`?limit=2&cursor=${pagination.next_cursor}`);
  expect(rest.data).toMatchObject([
    {
      finding_id: weak,
      kind: 'weak',
      size: 0.4,
      statements: [{ trait: 'sincerity', text: expect.stringMatching(/\w/) }],
    },
  ]);
  expect(rest.pagination).toEqual({ next_cursor: null, has_more: false, total_count: 3 });
});

test('a state selects findings', async () => {
  const dismissed = await insertFinding(app, { item_ids: ['discretion_01'] });
  const path = `/operator/item-findings/${dismissed}/decide`;
  await app.request('POST', path, { token, body: { decision: 'dismiss' } });
  expect((await read('?state=dismissed')).data).toMatchObject([{ finding_id: dismissed, choices: [] }]);
  expect((await read('?state=open')).pagination.total_count).toBe(3);
  expect((await read('?state=accepted')).data).toEqual([]);
});

test('bad input, callers who are not logged in, and other roles are refused', async () => {
  const bad = await app.request('GET', '/operator/item-findings?state=closed', { token });
  expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/state']);
  await expectOperatorOnly(app, 'GET', '/operator/item-findings');
});
