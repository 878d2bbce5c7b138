import * as client from 'openid-client';
import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { visit, callback, createBrowser, createFetch, decide } from '#test/modules/oauth.ts';
import { proves } from '#test/requirements.ts';

const publicUrl = 'https://tessera.example';
const app = await startApp({ TESSERA_PUBLIC_URL: publicUrl });
app.clock.set(new Date());

const serverPaths = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/openid-configuration',
  '/.well-known/openid-configuration/mcp',
  '/mcp/.well-known/oauth-authorization-server',
  '/mcp/.well-known/openid-configuration',
];

const resourcePaths = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/mcp/.well-known/oauth-protected-resource',
];

test('the metadata of the server is the same wherever clients look for it', async () => {
  const bodies = await Promise.all(
    serverPaths.map(async (path) => {
      const { status, body, headers } = await app.request('GET', `/${path}`, {
        headers: {
          origin: 'https://browser.example',
          'x-forwarded-host': 'evil.example',
          host: 'evil.example',
        },
      });
      expect([path, status]).toEqual([path, 200]);
      expect(headers['access-control-allow-origin']).toBe('*');
      return body;
    }),
  );
  for (const body of bodies) expect(body).toEqual(bodies[0]);
  expect(JSON.stringify(bodies[0])).not.toContain('evil.example');
  expect(bodies[0]).toMatchObject({
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/oauth/authorize`,
    token_endpoint: `${publicUrl}/oauth/token`,
    registration_endpoint: `${publicUrl}/oauth/register`,
    revocation_endpoint: `${publicUrl}/oauth/revoke`,
    jwks_uri: `${publicUrl}/.well-known/jwks.json`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: expect.arrayContaining(['authorization_code', 'refresh_token']),
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    token_endpoint_auth_methods_supported: expect.arrayContaining(['none', 'private_key_jwt']),
  });
  expect(bodies[0].grant_types_supported).not.toContain('implicit');
});

test('the metadata of the endpoint names its server, and neither offline_access nor what costs money', async () => {
  for (const path of resourcePaths) {
    const { status, body } = await app.request('GET', `/${path}`);
    expect([path, status]).toEqual([path, 200]);
    expect(body).toMatchObject({ resource: `${publicUrl}/mcp`, authorization_servers: [publicUrl] });
    expect(body.scopes_supported).toContain('tool:read_profile');
    expect(body.scopes_supported).not.toContain('offline_access');
    expect(body.scopes_supported).not.toContain('tool:query_archetype');
  }
});

test('a browser client of any origin may call the token endpoint', async () => {
  const { status, headers } = await app.request('OPTIONS', '//oauth/token', {
    headers: { origin: 'https://browser.example', 'access-control-request-method': 'POST' },
  });
  expect(status).toBe(204);
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['access-control-allow-headers']).toContain('MCP-Protocol-Version');
});

test('a client of another maker discovers, registers, connects, refreshes and revokes', async () => {
  proves('surface-connector-signs-in-through-oauth');
  const member = await app.registerMember();
  const options = { algorithm: 'oauth2', [client.customFetch]: createFetch(app) } as const;
  const config = await client.dynamicClientRegistration(
    new URL(publicUrl),
    { redirect_uris: [callback], client_name: 'openid-client', token_endpoint_auth_method: 'none' },
    client.None(),
    options,
  );
  const code_verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'tool:read_profile',
    code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
    resource: `${publicUrl}/mcp`,
    state,
  });
  const browser = createBrowser();
  const started = await visit(app, browser, address.href);
  const uid = String(started.headers['location']).split('/').at(-1)!;
  const { body } = await decide(app, { token: member.token, uid, decision: { tools: ['read_profile'] } });
  const { headers } = await visit(app, browser, body.continue_url);
  const returned = new URL(String(headers['location']));
  const tokens = await client.authorizationCodeGrant(config, returned, {
    pkceCodeVerifier: code_verifier,
    expectedState: state,
  });
  expect(tokens.scope).toBe('tool:read_profile');
  const renewed = await client.refreshTokenGrant(config, tokens.refresh_token!);
  expect((await app.request('GET', '/members/me', { token: renewed.access_token })).status).toBe(200);
  await client.tokenRevocation(config, renewed.access_token);
  expect((await app.request('GET', '/members/me', { token: renewed.access_token })).status).toBe(401);

  // A reply of another server is not taken for one of this server (RFC 9207).
  const foreign = new URL(returned);
  foreign.searchParams.set('iss', 'https://evil.example');
  await expect(
    client.authorizationCodeGrant(config, foreign, {
      pkceCodeVerifier: code_verifier,
      expectedState: state,
    }),
  ).rejects.toThrow('invalid response encountered');
});
