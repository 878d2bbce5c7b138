import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';

const app = await startApp();

test('lists for the operator what organisations have announced, until it is recorded', async () => {
  const operator = await app.registerPlatformAdmin();
  const org = await app.registerOrgAdmin({ name: 'Harbour Health' });
  const references: string[] = [];
  for (const amount of [10, 20]) {
    app.clock.advance(1_000);
    const { body } = await app.request('POST', '/orgs/me/balance', { token: org.token, body: { amount } });
    references.push(body.reference as string);
  }
  const list = async () =>
    (await app.request('GET', '/operator/top-ups', { token: operator.token })).body.data;
  expect(await list()).toMatchObject([
    { reference: references[0], amount: 10, org_id: org.org_id, organisation_name: 'Harbour Health' },
    { reference: references[1], amount: 20 },
  ]);
  const body = { reference: references[0], amount: 10 };
  await app.request('POST', '/operator/top-ups', { token: operator.token, body });
  expect(await list()).toMatchObject([{ reference: references[1] }]);
});

test('is for the operator alone', () => expectOperatorOnly(app, 'GET', '/operator/top-ups'));
