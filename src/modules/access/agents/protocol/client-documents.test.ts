import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test, vi } from 'vitest';
import { createFetchOutbound, OutboundError, type FetchOutbound } from '#platform/outbound/outbound.ts';
import { cleanUpAfterFile } from '#test/clean-up.ts';
import { startApp } from '#test/harness.ts';
import {
  visit,
  buildAuthorizeUrl,
  callback,
  createBrowser,
  createChallenge,
  requestTokens,
  startInteraction,
} from '#test/modules/oauth.ts';
import { fetchForProvider } from './fetch-for-provider.ts';

const app = await startApp();

/** A server on this machine that must never get a request. */
const listener = await listen((_request, response) => void response.end('{}'));

async function listen(handler: (request: IncomingMessage, response: ServerResponse) => void) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(request.url ?? '');
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUpAfterFile(async () => void server.close());
  return { received, port: (server.address() as AddressInfo).port };
}

/** Lets the service get this document for every URL; other failures are those of the guard. */
function serveDocument(reply: FetchOutbound) {
  return vi
    .spyOn(app.platform as { fetchOutbound: FetchOutbound }, 'fetchOutbound')
    .mockImplementation(reply);
}

const client_id = 'https://client.example/oauth/client.json';
const document = {
  client_id,
  client_name: 'Example',
  is_named: true,
  redirect_uris: [callback],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
};

const reply =
  (body: unknown, status = 200, headers = {}) =>
  async () => ({
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  });

const ask = (id: string) => visit(app, createBrowser(), buildAuthorizeUrl(app, id, createChallenge()));

test('no address of this machine or its network is reached, whatever names it', async () => {
  const { port } = listener;
  const names = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433', '0x7f.1'];
  for (const name of names) {
    const { status, headers } = await ask(`https://${name}:${port}/client.json`);
    expect([name, status, headers['location']]).toEqual([name, 400, undefined]);
  }
  expect(listener.received).not.toContain('/client.json');
});

test('a name that leads to this machine is not reached either, nor by a redirect', async () => {
  const { port } = listener;
  const redirecting = await listen((_request, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${port}/secret` }).end();
  });
  const guarded = createFetchOutbound({ allowPrivate: false, resolve: async () => ['127.0.0.1'] });
  await expect(
    fetchForProvider(
      { ...app.platform, fetchOutbound: guarded },
      `https://rebinding.example:${port}/client.json`,
      {},
    ),
  ).rejects.toBeInstanceOf(OutboundError);
  const open = createFetchOutbound({ allowPrivate: true });
  await expect(
    fetchForProvider(
      { ...app.platform, fetchOutbound: open },
      `http://127.0.0.1:${redirecting.port}/client.json`,
      {},
    ),
  ).rejects.toMatchObject({ fault: 'too_many_redirects' });
  expect(redirecting.received).toEqual(['/client.json']);
  expect(listener.received).not.toContain('/client.json');
});

test('a document that is too large or never ends is not read to its end', async () => {
  const endless = await listen((_request, response) => {
    const timer = setInterval(() => response.write(' '.repeat(8_192)), 1);
    response.on('close', () => clearInterval(timer));
  });
  const open = createFetchOutbound({ allowPrivate: true });
  await expect(
    fetchForProvider(
      { ...app.platform, fetchOutbound: open },
      `http://127.0.0.1:${endless.port}/client.json`,
      {},
    ),
  ).rejects.toMatchObject({ fault: 'too_large' });
});

test('a client is known by the URL of its metadata, and verified if it returns to the same host', async () => {
  using _spy = serveDocument(reply(document));
  const uid = await startInteraction(
    app,
    createBrowser(),
    buildAuthorizeUrl(app, client_id, createChallenge()),
  );
  const { body } = await app.request('GET', `/oauth/interactions/${uid}`, {
    cookies: { 'tessera-interaction': uid },
  });
  expect(body.client).toEqual({
    id: client_id,
    name: 'Example',
    is_named: true,
    document_host: 'client.example',
    redirect_host: 'client.example',
    is_verified: true,
    is_local: false,
  });
  expect(body.prompt).toBe('login');
});

test.each([
  ['http://127.0.0.1/callback', 'http://127.0.0.1:49152/callback', '127.0.0.1:49152', true],
  ['cursor://callback', 'cursor://callback', 'cursor', true],
  ['https://other.example/callback', 'https://other.example/callback', 'other.example', false],
])(
  'the host of a document is shown beside another place to return to: %s',
  async (registered, redirect_uri, shown, is_local) => {
    const id = `https://publisher.example/${encodeURIComponent(redirect_uri)}`;
    using _spy = serveDocument(reply({ ...document, client_id: id, redirect_uris: [registered] }));
    const browser = createBrowser();
    const url = buildAuthorizeUrl(app, id, createChallenge(), { redirect_uri });
    const uid = await startInteraction(app, browser, url);
    const { body } = await app.request('GET', `/oauth/interactions/${uid}`, {
      cookies: { 'tessera-interaction': uid },
    });
    expect(body.client).toMatchObject({
      document_host: 'publisher.example',
      redirect_host: shown,
      is_verified: false,
      is_local,
    });
    const { body: page } = await visit(
      app,
      browser,
      `${app.platform.config.publicUrl}/oauth/interaction/${uid}`,
    );
    expect(page).toContain('Published by <strong>publisher.example</strong>');
    expect(String(page).includes('Any program on this device can take its place')).toBe(is_local);
  },
);

test.each<[string, object, string, number]>([
  [
    'loopback addresses without a port',
    { redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback', 'http://[::1]/callback'] },
    'http://localhost:49152/callback',
    303,
  ],
  ['a registered port', { redirect_uris: ['http://[::1]:1/callback'] }, 'http://[::1]:49152/callback', 303],
  ['a scheme of its own', { redirect_uris: ['cursor://callback'] }, 'cursor://callback', 303],
  [
    'empty optional fields',
    { contacts: null, logo_uri: '', jwks: null, application_type: null, grant_types: [], scope: 'openid' },
    callback,
    303,
  ],
  ['no way to authenticate', { token_endpoint_auth_method: undefined }, callback, 303],
  ['the path of another', { redirect_uris: ['http://127.0.0.1/a'] }, 'http://127.0.0.1:49152/b', 400],
  ['another loopback name', { redirect_uris: ['http://127.0.0.1/a'] }, 'http://localhost:49152/a', 400],
  ['the web', { redirect_uris: ['https://client.example/a'] }, 'https://client.example:444/a', 400],
  ['a scheme of others', { redirect_uris: ['javascript:alert(1)'] }, 'javascript:alert(1)', 400],
  ['a scheme of files', { redirect_uris: ['smb://host/a'] }, 'smb://host/a', 400],
])('the document of a client with %s is read as it is meant', async (name, changes, redirect_uri, status) => {
  const id = `https://client.example/kind/${encodeURIComponent(name)}`;
  using _spy = serveDocument(reply({ ...document, client_id: id, ...changes }));
  const url = buildAuthorizeUrl(app, id, createChallenge(), { redirect_uri });
  expect((await visit(app, createBrowser(), url)).status).toBe(status);
});

test.each([
  ['names another client', { ...document, client_id: 'https://other.example/client.json' }, 200],
  ['has a shared secret', { ...document, client_secret: 'secret' }, 200],
  ['authenticates by a secret', { ...document, token_endpoint_auth_method: 'client_secret_basic' }, 200],
  ['is longer than 5 KiB', { ...document, client_name: 'n'.repeat(6_000) }, 200],
  ['is no JSON', '<html>', 200],
  ['is a list', [document], 200],
  ['does not exist', document, 404],
  ['is a redirect', document, 302],
  ['returns by http', { ...document, redirect_uris: ['http://client.example/callback'] }, 200],
])('a document that %s makes no client', async (name, body, status) => {
  const id = `https://client.example/${encodeURIComponent(name)}`;
  const changed =
    typeof body === 'object' && 'client_id' in body && body.client_id === client_id
      ? { ...body, client_id: id }
      : body;
  using _spy = serveDocument(reply(changed, status));
  const { status: refused, headers } = await ask(id);
  expect([refused, headers['location']]).toEqual([400, undefined]);
});

test('the keys of a client are read past those that cannot be used, and past a byte order mark', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const [id, jwks_uri] = ['https://keys.example/client.json', 'https://keys.example/jwks.json'];
  const keys = [
    { kty: 'oct', k: 'AAAA' },
    { ...(await exportJWK(publicKey)), kid: 'one', use: '' },
  ];
  using _spy = serveDocument(async (url) =>
    url === jwks_uri
      ? reply(`\ufeff${JSON.stringify({ keys })}`)()
      : reply({ ...document, client_id: id, jwks_uri, token_endpoint_auth_method: 'private_key_jwt' })(),
  );
  const client_assertion = await new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(id)
    .setSubject(id)
    .setAudience(app.platform.config.publicUrl)
    .setExpirationTime('300 s')
    .sign(privateKey);
  const { body } = await requestTokens(app, {
    grant_type: 'refresh_token',
    refresh_token: 'unknown',
    client_id: id,
    client_assertion,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  });
  // The client is known, and the refresh token is not.
  expect(body.error).toBe('invalid_grant');
});

test('a server that does not answer delays its own clients only, and no longer than five seconds', async () => {
  const requests: number[] = [];
  using _spy = serveDocument(async (_url, { timeout_ms, max_bytes, redirects_max }) => {
    requests.push(timeout_ms, max_bytes, redirects_max ?? 0);
    throw new OutboundError('timeout');
  });
  for (const path of ['client.json', 'client.json', 'other.json'])
    expect((await ask(`https://slow.example/${path}`)).status).toBe(400);
  expect(requests).toEqual([5_000, 32 * 1024, 0]);
});

test('a URL without a document is asked once, and says nothing about other URLs of the server', async () => {
  const requests: string[] = [];
  const id = 'https://shared.example/client.json';
  using _spy = serveDocument(async (url) => {
    requests.push(url);
    return url === id ? reply({ ...document, client_id: id })() : reply('', 404)();
  });
  for (const _again of [1, 2, 3]) expect((await ask('https://shared.example/none.json')).status).toBe(400);
  expect((await ask(id)).status).toBe(303);
  expect(requests).toEqual(['https://shared.example/none.json', id]);
});

test('at most 32 documents are fetched at the same time', async () => {
  const waiting: (() => void)[] = [];
  const platform = {
    ...app.platform,
    fetchOutbound: async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return reply(document)();
    },
  };
  const fetches = Array.from({ length: 33 }, (_, at) =>
    fetchForProvider(platform, `https://host-${at}.example/client.json`, {}).then(
      ({ status }) => status,
      String,
    ),
  );
  await expect.poll(() => waiting.length).toBe(32);
  for (const resolve of waiting) resolve();
  const outcomes = await Promise.all(fetches);
  expect(outcomes.filter((each) => each === 200)).toHaveLength(32);
  expect(outcomes.filter((each) => /too many/.test(String(each)))).toHaveLength(1);
});
