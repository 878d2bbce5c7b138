import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';
import {
  callByKey,
  callByOperatorKey,
  createOperatorKey,
  createServiceKey,
} from '#test/modules/service-keys.ts';

const app = await startApp();
const { token } = await app.registerPlatformAdmin();

const list = (id: string, reader = token) =>
  app.request('GET', `/operator/service-keys/${id}/requests`, { token: reader });

test('lists what a key of the operator asked', async () => {
  const { id, key } = await createOperatorKey(app, token);
  await callByOperatorKey(app, key);
  await callByKey(app, key);
  const { status, body } = await list(id);
  const rows = body.data.map((each: { path: string; code: string | null }) => [each.path, each.code]);
  expect([status, rows.toSorted()]).toEqual([
    200,
    [
      ['/operator/health', null],
      ['/orgs/me/jobs', 'role_not_allowed'],
    ],
  ]);
});

test('refuses keys of organisations, unknown ones, and what is no id', async () => {
  const { id } = await createServiceKey(app, (await app.registerOrgAdmin()).token);
  for (const each of [id, unknownId]) expect((await list(each)).body.code).toBe('service_key_not_found');
  expect((await list('x')).status).toBe(422);
});

test('only platform administrators may read it', () =>
  expectOperatorOnly(app, 'GET', `/operator/service-keys/${unknownId}/requests`));
