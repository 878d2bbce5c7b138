import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { buildPaidRead, payByHash, recordResult } from '#test/modules/payments.ts';

const app = await startApp();

test('the operator sees payments without a read, without the member, until they are recorded', async () => {
  const { token } = await app.registerPlatformAdmin();
  const list = async () => (await app.request('GET', '/operator/payments', { token })).body.data;
  expect(await list()).toEqual([]);
  const read = buildPaidRead();
  const taken = await payByHash(app, randomUUID(), read);
  expect(await list()).toEqual([
    {
      id: taken.payment.payment_id,
      state: 'settled',
      rail: 'mock',
      org_id: read.org_id,
      data_type: 'trait_profile',
      amount: 0.05,
      payer: null,
      transaction: null,
      reason: null,
      created_at: app.clock.now().toISOString(),
      attempted_at: app.clock.now().toISOString(),
    },
  ]);
  await recordResult(app, taken, 'read');
  expect(await list()).toEqual([]);
});

test('only the operator may ask', async () => {
  const { token } = await app.registerOrgAdmin();
  expect((await app.request('GET', '/operator/payments', { token })).body.code).toBe('role_not_allowed');
  expect((await app.request('GET', '/operator/payments')).status).toBe(401);
});
