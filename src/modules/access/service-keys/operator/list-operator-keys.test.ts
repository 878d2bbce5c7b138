import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';
import { callByOperatorKey, createOperatorKey, createServiceKey } from '#test/modules/service-keys.ts';

const app = await startApp();
const path = '/operator/service-keys';
const { token } = await app.registerPlatformAdmin();

test('lists the keys of the operator alone, newest first, with their last use', async () => {
  const first = await createOperatorKey(app, token);
  app.clock.advance(1_000);
  const second = await createOperatorKey(app, token);
  await createServiceKey(app, (await app.registerOrgAdmin()).token);
  const used_at = app.clock.now().toISOString();
  await callByOperatorKey(app, first.key);
  const { status, body } = await app.request('GET', path, { token });
  const rows = body.data.map((each: { id: string; last_used_at: string | null }) => [
    each.id,
    each.last_used_at,
  ]);
  expect([status, rows]).toEqual([
    200,
    [
      [second.id, null],
      [first.id, used_at],
    ],
  ]);
  expect(JSON.stringify(body)).not.toContain(first.key);
  const page = (await app.request('GET', `${path}?limit=1`, { token })).body;
  const next = await app.request('GET', `${path}?cursor=${page.pagination.next_cursor}`, { token });
  expect(next.body.data).toHaveLength(1);
});

test('refuses bad input', async () => {
  expect((await app.request('GET', `${path}?limit=0`, { token })).status).toBe(422);
});

test('only platform administrators may read it', () => expectOperatorOnly(app, 'GET', path));
