import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createStub, observations } from '#test/modules/stubs.ts';
import { createEmail, password } from '#test/users.ts';

const app = await startApp();

test('a stub is known better with more observations', async () => {
  const { body: stub } = await createStub(app, { observations: observations.slice(0, 2) });
  expect([stub.trait_count, stub.attunement_band]).toEqual([2, 'Emerging']);
  const { status, body } = await app.request('POST', `/identity/stubs/${stub.claim_code}/observations`, {
    body: { observations },
  });
  expect([status, body.trait_count, body.attunement_band]).toEqual([200, 8, 'Known']);
});

test('observations of an unknown or claimed code are refused', async () => {
  const add = (code: string) =>
    app.request('POST', `/identity/stubs/${code}/observations`, { body: { observations } });
  expect((await add('TES-0000000000')).body.code).toBe('stub_not_found');
  const { body: stub } = await createStub(app);
  await app.request('POST', '/identity/claim', {
    body: { claim_code: stub.claim_code, email: createEmail(), password, tos_accepted: true },
  });
  const { status, body } = await add(stub.claim_code);
  expect([status, body.code]).toEqual([410, 'stub_claimed']);
});
