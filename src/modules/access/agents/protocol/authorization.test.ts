import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import {
  visit,
  buildAuthorizeUrl,
  callback,
  connectClient,
  createBrowser,
  createChallenge,
  decide,
  registerClient,
  requestTokens,
  returnToClient,
  startInteraction,
} from '#test/modules/oauth.ts';
import { proves } from '#test/requirements.ts';

const publicUrl = 'https://tessera.example';
const app = await startApp({ TESSERA_PUBLIC_URL: publicUrl });
const member = await app.registerMember();
const client_id = await registerClient(app);

/** What the client gets back in the address, or the page that a person sees instead. */
async function request(changes: Readonly<Record<string, string | null>>, id = client_id) {
  const { status, headers, body } = await visit(
    app,
    createBrowser(),
    buildAuthorizeUrl(app, id, createChallenge(), changes),
  );
  const location = headers['location'] === undefined ? undefined : String(headers['location']);
  const returned = location?.startsWith(callback) ? readReturned(location) : undefined;
  return { status, location, returned, body: String(body), headers };
}

/** The parameters of an address at the client: in the query, or in the fragment, where a refused flow would have them. */
function readReturned(location: string) {
  const { searchParams, hash } = new URL(location);
  return { ...Object.fromEntries(searchParams), ...Object.fromEntries(new URLSearchParams(hash.slice(1))) };
}

test('a client gets tokens for the tools that a person has ticked, and for no other', async () => {
  proves(
    'oauth-capability-token-scoped-per-tool',
    'oauth-capability-consent-explicit',
    'oauth-capability-token-header',
  );
  const connection = await connectClient(app, member, { decision: { tools: ['read_profile'] } });
  expect(connection).toMatchObject({ token_type: 'Bearer', expires_in: 600, scope: 'tool:read_profile' });
  const token = connection.access_token;
  expect((await app.request('GET', '/members/me', { token })).status).toBe(200);
  expect((await app.request('GET', '/members/me/traits', { token })).body).toMatchObject({
    status: 403,
    code: 'tool_not_granted',
  });
});

test('the reply names the issuer and returns the state, even with an error (RFC 9207)', async () => {
  const browser = createBrowser();
  const challenge = createChallenge();
  const uid = await startInteraction(app, browser, buildAuthorizeUrl(app, client_id, challenge));
  const { body } = await decide(app, { token: member.token, uid });
  const returned = await returnToClient(app, browser, body.continue_url);
  expect(Object.fromEntries(returned)).toEqual({
    code: expect.any(String),
    state: 'state-of-the-client',
    iss: publicUrl,
  });
  expect((await request({ prompt: 'none' })).returned).toMatchObject({
    error: 'interaction_required',
    state: 'state-of-the-client',
    iss: publicUrl,
  });
});

test.each([
  ['no challenge', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
  ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
  ['an identity token', { response_type: 'code id_token' }, 'unsupported_response_type'],
  ['a form as the reply', { response_mode: 'form_post' }, 'unsupported_response_mode'],
  ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
  ['the REST API as the resource', { resource: `${publicUrl}/api/v1` }, 'invalid_target'],
])('%s is refused, and the client is informed', async (_name, changes, error) => {
  expect((await request(changes)).returned).toMatchObject({ error, iss: publicUrl });
});

test.each([
  ['a path below', `${callback}/more`],
  ['a longer path', `${callback}2`],
  ['a query', `${callback}?next=https://evil.example`],
  ['capital letters in the path', 'https://client.example/Callback'],
  ['a port', 'https://client.example:8443/callback'],
  ['another scheme', 'http://client.example/callback'],
  ['a subdomain', 'https://a.client.example/callback'],
  ['a user', 'https://client.example@evil.example/callback'],
  ['another host', 'https://evil.example/callback'],
  ['a fragment', `${callback}#here`],
  ['a script', 'javascript:alert(1)'],
])('a redirect address with %s gets a page and no redirect', async (_name, redirect_uri) => {
  const { status, location, body, headers } = await request({ redirect_uri });
  expect([status, location]).toEqual([400, undefined]);
  expect(body).toContain('<html');
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
});

test('an unknown client, and a request without one, get a page and no redirect', async () => {
  for (const changes of [{ client_id: 'unknown' }, { client_id: null }]) {
    const { status, location, body } = await request(changes);
    expect([status, location]).toEqual([400, undefined]);
    expect(body).toContain('<html');
  }
});

test('a program that asks for a page gets the error as a problem', async () => {
  const { pathname, search } = new URL(
    buildAuthorizeUrl(app, 'unknown', createChallenge(), { redirect_uri: 'https://evil.example' }),
  );
  const { status, body } = await app.request('GET', `/${pathname}${search}`);
  expect([status, body.code]).toEqual([400, 'authorization_request_invalid']);
});

test('a program on the user’s device may use any port, and only its own name of the loopback address', async () => {
  const local = await registerClient(app, { redirect_uris: ['http://127.0.0.1:3000/callback'] });
  const ask = (redirect_uri: string) => request({ redirect_uri }, local);
  expect((await ask('http://127.0.0.1:49152/callback')).location).toContain('/oauth/interaction/');
  for (const other of [
    'http://localhost:3000/callback',
    'http://127.0.0.2:3000/callback',
    'http://127.0.0.1:3000/other',
  ])
    expect((await ask(other)).status).toBe(400);
});

test('a token cannot get more tools than were allowed, by no parameter of the exchange', async () => {
  const connection = await connectClient(app, member, { decision: { tools: ['read_profile'] } });
  const widened = await requestTokens(app, {
    grant_type: 'refresh_token',
    refresh_token: connection.refresh_token,
    client_id: connection.client_id,
    scope: 'tool:read_profile tool:list_matches',
  });
  expect([widened.status, widened.body.error]).toEqual([400, 'invalid_scope']);
});

test('only the browser that started a request can read, allow or deny it', async () => {
  const uid = await startInteraction(
    app,
    createBrowser(),
    buildAuthorizeUrl(app, client_id, createChallenge()),
  );
  const { token } = member;
  const path = `/oauth/interactions/${uid}`;
  const foreign = { 'tessera-interaction': 'V1StGXR8_Z5jdHi6B-myT' };
  for (const cookies of [{}, foreign]) {
    const replies = await Promise.all([
      app.request('GET', path, { token, cookies }),
      app.request('POST', `${path}/consent`, {
        token,
        cookies,
        body: { tools: ['read_profile'], spend_cap: null, lifetime_days: 30 },
      }),
      app.request('POST', `${path}/denial`, { cookies, body: {} }),
    ]);
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 3 }, () => [404, 'authorization_request_not_found']),
    );
  }
});

test('the cookie of a request goes to its pages only, over https, and is not readable by scripts', async () => {
  const { headers } = await request({});
  const cookies = [headers['set-cookie']].flat().map(String);
  const interaction = cookies.find((cookie) => cookie.startsWith('tessera-interaction='))!;
  expect(interaction).toMatch(/path=\/oauth\/interaction\/[\w-]+/i);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; secure/i);
    expect(cookie).toMatch(/; httponly/i);
    expect(cookie).toMatch(/; samesite=lax/i);
  }
});

test('a decision of one browser cannot be continued in another', async () => {
  const uid = await startInteraction(
    app,
    createBrowser(),
    buildAuthorizeUrl(app, client_id, createChallenge()),
  );
  const { body } = await decide(app, { token: member.token, uid });
  const { status, headers } = await visit(app, createBrowser(), body.continue_url);
  expect([status, headers['location']]).toEqual([400, undefined]);
});

test('every request asks the person again, even for what is allowed already', async () => {
  const { client_id: connected } = await connectClient(app, member);
  const { location } = await request({}, connected);
  expect(location).toContain('/oauth/interaction/');
});

test('a request expires after an hour', async () => {
  const uid = await startInteraction(
    app,
    createBrowser(),
    buildAuthorizeUrl(app, client_id, createChallenge()),
  );
  app.clock.advance(3_600_000);
  const { status } = await decide(app, { token: member.token, uid });
  expect(status).toBe(404);
  app.clock.advance(-3_600_000);
});
