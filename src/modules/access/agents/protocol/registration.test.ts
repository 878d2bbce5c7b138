import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import {
  buildAuthorizeUrl,
  visit,
  connectClient,
  createBrowser,
  createChallenge,
  registerClient,
} from '#test/modules/oauth.ts';
import { forgetArtifacts } from '../forget-artifacts.ts';
import { unused_clients_max } from '../rules.ts';

const app = await startApp();

const register = (metadata: object) => app.request('POST', '//oauth/register', { body: metadata });

const runTask = () =>
  forgetArtifacts.run(
    {
      ...app.platform,
      now: app.clock.now,
      signal: new AbortController().signal,
      reportProgress: async () => undefined,
    },
    {},
  );

const valid = { redirect_uris: ['https://client.example/callback'], token_endpoint_auth_method: 'none' };

test('a client registers with what real clients send, and gets no secret that it did not ask for', async () => {
  const { status, body } = await register({
    ...valid,
    client_name: 'Claude',
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    response_types: ['code'],
    scope: 'openid profile email',
    software_id: 'example',
    unknown_field: { deep: true },
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({ client_name: 'Claude', grant_types: ['authorization_code', 'refresh_token'] });
  expect(body).not.toHaveProperty('client_secret');
  expect(body).not.toHaveProperty('unknown_field');
  expect(body).not.toHaveProperty('scope');
});

test('the secret of a client is stored encrypted, and opens the token endpoint', async () => {
  const { body } = await register({
    redirect_uris: valid.redirect_uris,
    token_endpoint_auth_method: 'client_secret_post',
  });
  const { metadata } = await app.sql.one(sql<{ metadata: object }>`
    select metadata from oauth_clients where id = ${body.client_id}`);
  expect(JSON.stringify(metadata)).not.toContain(body.client_secret);
  const exchange = (client_secret: string) =>
    app.request('POST', '//oauth/token', {
      raw: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: 'unknown',
        client_id: body.client_id,
        client_secret,
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  expect((await exchange('wrong')).body.error).toBe('invalid_client');
  expect((await exchange(body.client_secret)).body.error).toBe('invalid_grant');
});

test.each<[string, object]>([
  ['no redirect address', { token_endpoint_auth_method: 'none' }],
  ['an http address', { ...valid, redirect_uris: ['http://client.example/callback'] }],
  ...['ftp', 'smb', 'mailto', 'intent', 'file', 'data', 'wss', 'ms-settings'].map(
    (scheme): [string, object] => [
      `the scheme of another program: ${scheme}`,
      { ...valid, application_type: 'native', redirect_uris: [`${scheme}://client.example/callback`] },
    ],
  ),
  ['a NUL', { ...valid, client_name: 'A\0gent' }],
  ['half a character', { ...valid, client_uri: 'https://client.example/\ud83d' }],
  ['a NUL in a name of a field', { ...valid, 'a\0': 1 }],
  ['a NUL in a list', { ...valid, contacts: ['a\0@client.example'] }],
  ['a script as the address', { ...valid, redirect_uris: ['javascript:alert(1)'] }],
  ['a fragment in the address', { ...valid, redirect_uris: ['https://client.example/callback#x'] }],
  ['the implicit flow', { ...valid, response_types: ['token'] }],
  ['an unknown method', { ...valid, token_endpoint_auth_method: 'tls_client_auth' }],
  [
    'too many addresses',
    { ...valid, redirect_uris: Array.from({ length: 21 }, (_, at) => `https://client.example/${at}`) },
  ],
  ['a long address', { ...valid, redirect_uris: [`https://client.example/${'a'.repeat(2_000)}`] }],
  ['a long name', { ...valid, client_name: 'n'.repeat(201) }],
  ['a name that is no text', { ...valid, client_name: { toString: 'x' } }],
])('a registration with %s is refused', async (_name, metadata) => {
  const { status, body } = await register(metadata);
  expect(status).toBe(400);
  expect(['invalid_client_metadata', 'invalid_redirect_uri']).toContain(body.error);
});

test.each<[string, object, string]>([
  ['a scheme of its own', { redirect_uris: ['cursor://anysphere/callback'] }, 'native'],
  [
    'a scheme of its own beside the web',
    { redirect_uris: ['https://client.example/callback', 'com.example.app:/callback'] },
    'native',
  ],
  ['the wrong kind', { application_type: 'web', redirect_uris: ['http://127.0.0.1/callback'] }, 'native'],
  ['an unknown kind', { application_type: 'browser' }, 'web'],
  ['no kind', { application_type: null }, 'web'],
  ['https on its own device', { redirect_uris: ['https://localhost:3000/callback'] }, 'web'],
  [
    'both schemes on its own device',
    { redirect_uris: ['https://localhost:3000/callback', 'http://localhost:3000/callback'] },
    'web',
  ],
])('the kind of a client follows from its redirect addresses: %s', async (_name, metadata, kind) => {
  const { status, body } = await register({ ...valid, ...metadata });
  expect([status, body.application_type]).toEqual([201, kind]);
});

const optional_fields =
  'application_type client_name client_uri contacts grant_types jwks jwks_uri logo_uri policy_uri response_types scope software_id tos_uri';

test.each(optional_fields.split(' '))(
  'an optional field without a value counts as absent: %s',
  async (name) => {
    for (const value of [null, '', []]) {
      const { status, body } = await register({ ...valid, [name]: value });
      expect([value, status]).toEqual([value, 201]);
      expect(body.grant_types).toEqual(['authorization_code', 'refresh_token']);
    }
  },
);

test('a client may send contacts that are not addresses, and all types of replies that it knows', async () => {
  const { status, body } = await register({
    ...valid,
    contacts: ['https://client.example/help', '', null],
    response_types: ['code', 'code id_token'],
  });
  expect([status, body.response_types, 'contacts' in body]).toEqual([201, ['code'], false]);
});

test('a body that is too large, or no JSON, is refused', async () => {
  const large = await register({ ...valid, contacts: Array(20).fill('c'.repeat(1_000)) });
  expect(large.status).toBe(413);
  for (const raw of ['{', '[]', 'null', '"text"']) {
    const { status } = await app.request('POST', '//oauth/register', {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect([raw, status]).toEqual([raw, 400]);
  }
});

test('a client that nobody uses is forgotten after a day, and a used one stays', async () => {
  const unused = await registerClient(app);
  const { client_id: used } = await connectClient(app, await app.registerMember());
  app.clock.advance(86_400_000);
  await runTask();
  const rows = await app.sql.list(
    sql<{ id: string }>`select id from oauth_clients where id in (${unused}, ${used})`,
  );
  expect(rows.map(({ id }) => id)).toEqual([used]);
  const { status } = await visit(app, createBrowser(), buildAuthorizeUrl(app, unused, createChallenge()));
  expect(status).toBe(400);
});

test('expired requests, codes and tokens are deleted', async () => {
  await connectClient(app, await app.registerMember());
  app.clock.advance(31 * 86_400_000);
  await runTask();
  const rows = await app.sql.list(sql<{ kind: string }>`select distinct kind from oauth_artifacts`);
  expect(rows).toEqual([{ kind: 'Grant' }]);
});

test('the oldest clients that nobody has used make room for new ones, and used ones stay', async () => {
  const { client_id: used } = await connectClient(app, await app.registerMember());
  const [oldest, younger] = [await registerClient(app), await registerClient(app)];
  const hour_ago = new Date(app.clock.now().getTime() - 3_600_000);
  await app.sql.run(sql`
    update oauth_clients set created_at = ${hour_ago}::timestamptz - interval '1 minute' * (case when id = ${younger} then 1 else 2 end)
    where id in (${used}, ${oldest}, ${younger})`);
  const countOthers = () =>
    app.sql.one(sql<{ count: number }>`
      select count(*)::int as count from oauth_clients where used_at is null and id not in (${oldest}, ${younger})`);
  const { count } = await countOthers();
  await app.sql.run(sql`
    insert into oauth_clients (id, metadata, created_at)
    select 'flood-' || n, '{}', ${hour_ago} from generate_series(1, ${unused_clients_max - count - 2}::int) as n`);
  const newest = await registerClient(app);
  const rows = await app.sql.list(sql<{ id: string }>`
    select id from oauth_clients where id in (${used}, ${oldest}, ${younger}, ${newest})`);
  expect(rows.map(({ id }) => id).toSorted()).toEqual([used, younger, newest].toSorted());
});

test('registrations are limited for each network', async () => {
  const limited = await startApp({ TESSERA_RATE_LIMITS: 'on' });
  const send = () => limited.request('POST', '//oauth/register', { body: { redirect_uris: [] } });
  for (let sent = 0; sent < 30; sent++) expect((await send()).status).toBe(400);
  const refused = await send();
  expect(refused.status).toBe(429);
  expect(refused.headers['retry-after']).toBeDefined();
  // Neither a login nor another part of the protocol waits for that.
  expect((await limited.request('GET', '//.well-known/oauth-authorization-server')).status).toBe(200);
});

test('a registration may begin with a byte order mark', async () => {
  const { status } = await app.request('POST', '//oauth/register', {
    raw: `\ufeff${JSON.stringify(valid)}`,
    headers: { 'content-type': 'application/json' },
  });
  expect(status).toBe(201);
});
