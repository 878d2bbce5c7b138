import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { exportJWK, SignJWT } from 'jose';
import * as client from 'openid-client';
import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { cloneDatabase, startApp, unknownId } from '#test/harness.ts';
import { exchangeAssertion, registerProgram } from '#test/modules/assertions.ts';
import { createFetch } from '#test/modules/oauth.ts';
import { callByKey, createServiceKey } from '#test/modules/service-keys.ts';

const settings = await cloneDatabase();
const environment = {
  TESSERA_MASTER_KEY: randomBytes(32).toString('base64'),
  TESSERA_PUBLIC_URL: 'https://tessera.example',
  TESSERA_RATE_LIMITS: 'off',
};
const app = await startApp(environment, settings);
// The library of the client reads the clock of the system.
app.clock.set(new Date());

test.each(['ES256', 'EdDSA', 'RS256'] as const)(
  'a client library gets a token by %s, and calls the permitted rows with it',
  async (algorithm) => {
    const { token } = await app.registerOrgAdmin();
    const program = await registerProgram(app, token, { algorithm });
    const config = await client.discovery(
      new URL('https://tessera.example'),
      program.id,
      undefined,
      client.PrivateKeyJwt(program.private_key),
      { [client.customFetch]: createFetch(app), algorithm: 'oauth2' },
    );
    expect(config.serverMetadata()).toMatchObject({
      grant_types_supported: expect.arrayContaining(['client_credentials']) as unknown,
      token_endpoint_auth_methods_supported: expect.arrayContaining(['private_key_jwt']) as unknown,
      token_endpoint_auth_signing_alg_values_supported: expect.arrayContaining([algorithm]) as unknown,
    });
    const issued = await client.clientCredentialsGrant(config);
    expect(issued).toMatchObject({ token_type: 'bearer', expires_in: 600 });
    expect(await callByKey(app, issued.access_token)).toEqual([200, undefined]);
    const refused = await app.request('GET', '/orgs/me', { token: issued.access_token });
    expect([refused.status, refused.body.code]).toEqual([403, 'row_not_permitted']);
  },
);

test('a token lasts ten minutes, and ends with its key within a second on every process', async () => {
  const { token } = await app.registerOrgAdmin();
  const program = await registerProgram(app, token);
  const issue = async () => (await exchangeAssertion(app, await program.sign())).body.access_token as string;
  const first = await issue();
  app.clock.advance(599_000);
  expect(await callByKey(app, first)).toEqual([200, undefined]);
  app.clock.advance(1_000);
  expect((await callByKey(app, first))[0]).toBe(401);
  const second = await issue();
  const other = await startApp(environment, settings);
  other.clock.set(app.clock.now());
  expect([await callByKey(app, second), await callByKey(other, second)]).toEqual([
    [200, undefined],
    [200, undefined],
  ]);
  await app.request('DELETE', `/orgs/me/service-keys/${program.id}`, { token });
  expect(await callByKey(app, second)).toEqual([401, 'token_invalid']);
  other.clock.advance(1_000);
  expect(await callByKey(other, second)).toEqual([401, 'token_invalid']);
  expect((await exchangeAssertion(app, await program.sign())).body.error).toBe('invalid_client');
});

test('an assertion buys one token, even when it is sent twice at the same time', async () => {
  const { token } = await app.registerOrgAdmin();
  const program = await registerProgram(app, token);
  const assertion = await program.sign();
  const replies = await Promise.all([1, 2, 3].map(() => exchangeAssertion(app, assertion)));
  const accepted = replies.filter(({ status }) => status === 200);
  expect([accepted.length, replies.length]).toEqual([1, 3]);
  const replayed = await exchangeAssertion(app, await program.sign({ jti: 'the-same' }));
  const again = await exchangeAssertion(app, await program.sign({ jti: 'the-same' }));
  expect([replayed.status, again.status, again.body.error_description]).toEqual([
    200,
    401,
    expect.stringContaining('jti'),
  ]);
});

test('assertions with wrong claims, keys and algorithms are refused', async () => {
  const { token } = await app.registerOrgAdmin();
  const [program, stranger] = [await registerProgram(app, token), await registerProgram(app, token)];
  const { id: secret_id } = await createServiceKey(app, token);
  const now_s = Math.floor(app.clock.now().getTime() / 1000);
  const publicJwk = new TextEncoder().encode(JSON.stringify(await exportJWK(program.private_key)));
  const { iss, ...rest } = {
    iss: program.id,
    sub: program.id,
    aud: 'https://tessera.example',
    exp: now_s + 60,
    jti: 'x',
  };
  const refused: readonly [string, string | Promise<string>][] = [
    ['another audience', program.sign({ aud: 'https://elsewhere.example' })],
    ['several audiences', program.sign({ aud: ['https://tessera.example', 'https://elsewhere.example'] })],
    ['an hour of life', program.sign({ exp: now_s + 3_600 })],
    ['an end in the past', program.sign({ exp: now_s - 60 })],
    ['no end', program.sign({ exp: undefined as never })],
    ['no id', program.sign({ jti: undefined as never })],
    ['a beginning in the future', program.sign({ nbf: now_s + 60 })],
    ['the key of another program', stranger.sign({ iss: program.id, sub: program.id })],
    ['the id of a key with a secret', program.sign({ iss: secret_id, sub: secret_id })],
    ['an unknown id', program.sign({ iss: unknownId, sub: unknownId })],
    ['another subject', program.sign({ sub: stranger.id })],
    ['a shared secret', new SignJWT({ iss, ...rest }).setProtectedHeader({ alg: 'HS256' }).sign(publicJwk)],
    ['no signature', `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ iss, ...rest }))}.`],
    ['no assertion', ''],
    ['too long a text', 'x'.repeat(5_000)],
  ];
  for (const [what, assertion] of refused) {
    const { status, body, headers } = await exchangeAssertion(app, await assertion);
    expect([what, status, body.error, headers['cache-control']]).toEqual([
      what,
      401,
      'invalid_client',
      'no-store',
    ]);
  }
  const accepted = await exchangeAssertion(
    app,
    await program.sign({ aud: 'https://tessera.example/oauth/token' }),
  );
  expect(accepted.status).toBe(200);
});

test('scopes, other clients and other kinds of assertions are refused, and agents get what they got before', async () => {
  const { token } = await app.registerOrgAdmin();
  const program = await registerProgram(app, token);
  const ask = async (changes: Readonly<Record<string, string>>) =>
    (await exchangeAssertion(app, await program.sign(), changes)).body.error as string;
  expect(await ask({ scope: 'everything' })).toBe('invalid_scope');
  expect(await ask({ client_id: unknownId })).toBe('invalid_client');
  expect(await ask({ client_assertion_type: 'saml' })).toBe('invalid_client');
  expect(await ask({ grant_type: 'password' })).toBe('invalid_client');
});

test('a token is accepted only from the networks of its key, and ends with the account that it acts for', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const far = await registerProgram(app, token, { networks: ['203.0.113.0/24'] });
  const issued = await exchangeAssertion(app, await far.sign());
  expect(await callByKey(app, issued.body.access_token)).toEqual([403, 'network_not_allowed']);
  const colleague = await createColleague(app, org_id, 'org_admin');
  const near = await registerProgram(app, colleague.token);
  const { access_token } = (await exchangeAssertion(app, await near.sign())).body;
  expect(await callByKey(app, access_token)).toEqual([200, undefined]);
  await app.request('DELETE', `/orgs/me/users/${colleague.user_id}`, { token });
  app.clock.advance(1_000);
  expect(await callByKey(app, access_token)).toEqual([401, 'token_invalid']);
  expect((await exchangeAssertion(app, await near.sign())).status).toBe(401);
});

test('a made-up token is refused', async () => {
  for (const text of [
    'tst_',
    `tst_${'0'.repeat(68)}`,
    `tst_${'0'.repeat(60)}${crc32('0'.repeat(60)).toString(16).padStart(8, '0')}`,
  ])
    expect([text, (await callByKey(app, text))[0]]).toEqual([text, 401]);
});
