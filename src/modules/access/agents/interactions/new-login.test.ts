import * as client from 'openid-client';
import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import {
  callback,
  createBrowser,
  createChallenge,
  createFetch,
  decide,
  returnToClient,
  startInteraction,
} from '#test/modules/oauth.ts';
import { logInAgain } from '#test/users.ts';

const publicUrl = 'https://tessera.example';
const app = await startApp({ TESSERA_PUBLIC_URL: publicUrl });
app.clock.set(new Date());
const config = await client.dynamicClientRegistration(
  new URL(publicUrl),
  { redirect_uris: [callback], client_name: 'openid-client', token_endpoint_auth_method: 'none' },
  client.None(),
  { algorithm: 'oauth2', [client.customFetch]: createFetch(app) },
);

type Demand = { readonly prompt?: string; readonly max_age?: string };

/** Lets a client of another maker ask for what it demands of the login. */
async function ask(demand: Demand) {
  const browser = createBrowser();
  const { verifier, challenge } = createChallenge();
  const state = client.randomState();
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'tool:read_profile',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state,
    ...demand,
  });
  const uid = await startInteraction(app, browser, address.href);
  const decideAs = (token: string) => decide(app, { token, uid, decision: { tools: ['read_profile'] } });
  return {
    /** Which step the request is at, and what a decision with this login returns. */
    try: async (token: string) => {
      const { body } = await app.request('GET', `/oauth/interactions/${uid}`, {
        token,
        cookies: { 'tessera-interaction': uid },
      });
      const decided = await decideAs(token);
      return [body.prompt, decided.status, decided.body.code];
    },
    finish: async (token: string) => {
      const { body } = await decideAs(token);
      const returned = await returnToClient(app, browser, body.continue_url);
      const url = new URL(`${callback}?${returned.toString()}`);
      return client.authorizationCodeGrant(config, url, { pkceCodeVerifier: verifier, expectedState: state });
    },
  };
}

const refused = ['login', 403, 'recent_authentication_required'];

test.each([
  ['prompt=login', { prompt: 'login' }, 1_000],
  ['prompt=login beside consent', { prompt: 'consent login' }, 1_000],
  ['max_age=0', { max_age: '0' }, 1_000],
  ['max_age=60 and a login of two minutes', { max_age: '60' }, 120_000],
  ['max_age=3600 beside prompt=login', { max_age: '3600', prompt: 'login' }, 1_000],
] as const)('%s needs a new login, with which the client gets its tokens', async (_name, demand, age_ms) => {
  const member = await app.registerMember();
  app.clock.advance(age_ms);
  const request = await ask(demand);
  expect(await request.try(member.token)).toEqual(refused);
  app.clock.advance(1_000);
  const tokens = await request.finish(await logInAgain(app, member));
  expect(tokens.scope).toBe('tool:read_profile');
});

test('a confirmation in place counts as a new login', async () => {
  const member = await app.registerMember();
  app.clock.advance(1_000);
  const request = await ask({ prompt: 'login' });
  expect(await request.try(member.token)).toEqual(refused);
  const { body } = await app.request('POST', '/auth/reauthenticate', {
    token: member.token,
    body: { password: member.password },
  });
  expect((await request.finish(body.access_token)).scope).toBe('tool:read_profile');
});

test.each([
  ['nothing', {}],
  ['prompt=consent', { prompt: 'consent' }],
  ['a greatest age that the login does not exceed', { max_age: '120' }],
])('%s accepts the login of the session', async (_name, demand) => {
  const member = await app.registerMember();
  app.clock.advance(120_000);
  expect(await (await ask(demand)).try(member.token)).toEqual(['consent', 200, undefined]);
});

test('the age counts from the request, however long the person takes to decide', async () => {
  const member = await app.registerMember();
  const request = await ask({ max_age: '60' });
  app.clock.advance(600_000);
  expect(await request.try(member.token)).toEqual(['consent', 200, undefined]);
});

test.each(['-1', 'x', '1.5', '1e400'])('the greatest age %s is refused', async (max_age) => {
  await expect(ask({ max_age })).rejects.toThrow('invalid_request');
});
