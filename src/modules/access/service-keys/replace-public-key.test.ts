import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import {
  createProgram,
  exchangeAssertion,
  generateSigningKey,
  registerProgram,
} from '#test/modules/assertions.ts';
import { callByKey, createServiceKey } from '#test/modules/service-keys.ts';

const app = await startApp();

const replace = (token: string | undefined, id: string, body: object) =>
  app.request('PUT', `/orgs/me/service-keys/${id}/public-key`, {
    body,
    ...(token !== undefined && { token }),
  });

test('both keys are accepted until the overlap ends, then only the new one', async () => {
  const { token } = await app.registerOrgAdmin();
  const old = await registerProgram(app, token);
  const { public_key, private_key } = await generateSigningKey('EdDSA');
  const { status, body } = await replace(token, old.id, { public_key, overlap_seconds: 600 });
  expect([status, body.id]).toEqual([200, old.id]);
  const fresh = createProgram(app, old.id, private_key, 'EdDSA');
  const exchange = async () => [
    (await exchangeAssertion(app, await old.sign())).status,
    (await exchangeAssertion(app, await fresh.sign())).status,
  ];
  expect(await exchange()).toEqual([200, 200]);
  app.clock.advance(600_000);
  expect(await exchange()).toEqual([401, 200]);
});

test('without an overlap, the tokens of the key before end as well', async () => {
  const { token } = await app.registerOrgAdmin();
  const old = await registerProgram(app, token);
  const { access_token } = (await exchangeAssertion(app, await old.sign())).body;
  expect(await callByKey(app, access_token)).toEqual([200, undefined]);
  const { public_key } = await generateSigningKey();
  await replace(token, old.id, { public_key, overlap_seconds: 0 });
  expect(await callByKey(app, access_token)).toEqual([401, 'token_invalid']);
});

test('secrets, bad keys, viewers, strangers and other organisations change nothing', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const program = await registerProgram(app, ours.token);
  const secret = await createServiceKey(app, ours.token);
  const { public_key } = await generateSigningKey();
  const refusals = [
    [ours.token, secret.id],
    [ours.token, unknownId],
    [theirs.token, program.id],
  ] as const;
  for (const [token, id] of refusals)
    expect((await replace(token, id, { public_key })).body.code).toBe('service_key_not_found');
  expect((await replace(ours.token, program.id, { public_key: { kty: 'EC' } })).status).toBe(422);
  const viewer = await createColleague(app, ours.org_id, 'org_viewer');
  expect((await replace(viewer.token, program.id, { public_key })).body.code).toBe('role_not_allowed');
  expect((await replace(undefined, program.id, { public_key })).status).toBe(401);
  expect((await exchangeAssertion(app, await program.sign())).status).toBe(200);
});
