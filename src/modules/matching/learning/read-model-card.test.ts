import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';

test('everyone reads the model card of the version in use, which names no person and has every section', async () => {
  const app = await startApp();
  const { status, body } = await app.request('GET', '/model-card');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    version: 1,
    bounds: { multiplier_min: 0.2, multiplier_max: 2, step_max: 0.08 },
    versions: [{ version: 1, parent: null, evaluation: null, outcomes: 0 }],
    uses: [{ version: 1, action: 'start' }],
  });
  expect(body.weights).toHaveLength(1);
  expect(Object.values(body.weights[0].multipliers)).toEqual(Array(20).fill(1));
  for (const section of [
    'purpose',
    'not_for',
    'data',
    'features',
    'excluded',
    'method',
    'promotion',
    'limits',
  ])
    expect(body[section].length).toBeGreaterThan(0);
  expect((await app.request('GET', '/model-card?version=1')).status).toBe(422);
  const page = await app.request('GET', '//model-card');
  expect([page.status, String(page.headers['content-type'])]).toEqual([200, 'text/html; charset=utf-8']);
});
