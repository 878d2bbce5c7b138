import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { insertFinding } from '#test/modules/findings.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';

const unknown = '3d1e6f0a-1c2b-4d3e-8f4a-5b6c7d8e9f00';

const app = await startApp();
const { token } = await app.registerPlatformAdmin();
const withdrawDecision = (id: string) =>
  app.request('POST', `/operator/item-findings/${id}/undo`, { token, body: {} });

test('of two undos at once one succeeds, and the finding can be decided again', async () => {
  const id = await insertFinding(app);
  const decide = () =>
    app.request('POST', `/operator/item-findings/${id}/decide`, { token, body: { decision: 'retire' } });
  const { in_use } = (await decide()).body;
  const undone = await Promise.all([withdrawDecision(id), withdrawDecision(id)]);
  expect(undone.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  expect((await decide()).body.in_use).toBe(in_use);
});

test('an open or unknown finding, a malformed id, and other callers are refused', async () => {
  const open = await insertFinding(app, { item_ids: ['sincerity_04'] });
  expect((await withdrawDecision(open)).body.code).toBe('finding_undecided');
  expect((await withdrawDecision(unknown)).body.code).toBe('finding_not_found');
  expect((await withdrawDecision('x')).body.errors[0].pointer).toBe('/finding_id');
  await expectOperatorOnly(app, 'POST', `/operator/item-findings/${open}/undo`, {});
});
