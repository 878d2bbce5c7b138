import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';
import { callByOperatorKey, createOperatorKey, createServiceKey } from '#test/modules/service-keys.ts';

const app = await startApp();
const operator = await app.registerPlatformAdmin();

const rotate = (id: string, body: object = {}, token = operator.token) =>
  app.request('POST', `/operator/service-keys/${id}/rotate`, { token, body });

test('both keys are accepted until the overlap ends, and the new one acts for the administrator who asked', async () => {
  const colleague = await app.registerPlatformAdmin();
  const old = await createOperatorKey(app, colleague.token);
  const { status, body } = await rotate(old.id, { overlap_seconds: 600 });
  expect([status, body.user_id]).toEqual([200, operator.user_id]);
  for (const key of [old.key, body.key]) expect(await callByOperatorKey(app, key)).toEqual([200, undefined]);
  app.clock.advance(600_000);
  expect(await callByOperatorKey(app, old.key)).toEqual([401, 'token_invalid']);
  expect(await callByOperatorKey(app, body.key)).toEqual([200, undefined]);
});

test('refuses bad input, unknown keys, and those of organisations', async () => {
  const { id } = await createOperatorKey(app, operator.token);
  expect((await rotate(id, { overlap_seconds: -1 })).body.errors[0].pointer).toBe('/overlap_seconds');
  const { token } = await app.registerOrgAdmin();
  const theirs = await createServiceKey(app, token);
  for (const each of [unknownId, theirs.id])
    expect((await rotate(each)).body.code).toBe('service_key_not_found');
  const reply = await app.request('POST', `/orgs/me/service-keys/${id}/rotate`, { token, body: {} });
  expect(reply.body.code).toBe('service_key_not_found');
});

test('only platform administrators may rotate one', () =>
  expectOperatorOnly(app, 'POST', `/operator/service-keys/${unknownId}/rotate`, {}));
