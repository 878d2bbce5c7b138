import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { logInAgain, password } from '#test/users.ts';
import { startApp } from '#test/harness.ts';
import {
  callback,
  connectClient,
  requestCode,
  registerClient,
  requestTokens,
  type Connection,
} from '#test/modules/oauth.ts';
import { proves } from '#test/requirements.ts';
import { listStatements } from '#test/list-statements.ts';
import { repeat_seconds } from '../rules.ts';
import { authenticateCapability } from './authenticate-capability.ts';

const publicUrl = 'https://tessera.example';
const app = await startApp({ TESSERA_PUBLIC_URL: publicUrl });

const exchange = (
  { code, verifier, client_id }: Connection,
  changes: Readonly<Record<string, string | undefined>> = {},
) =>
  requestTokens(app, {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: callback,
    client_id,
    ...changes,
  });

const refresh = ({ refresh_token, client_id }: Pick<Connection, 'refresh_token' | 'client_id'>) =>
  requestTokens(app, { grant_type: 'refresh_token', refresh_token, client_id });

const callTool = (access_token: string) => app.request('GET', '/members/me', { token: access_token });

/** Whether the agent can act now: by its token, and by a new one. */
const isConnected = async (connection: Connection) => {
  const { status } = await callTool(connection.access_token);
  const refreshed = await refresh(connection);
  return [status, refreshed.status];
};

test('a capability token is a JWT of RFC 9068 with the grant', async () => {
  const member = await app.registerMember();
  const { access_token, grant_id, client_id } = await connectClient(app, member);
  const [head, body] = access_token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  expect(JSON.parse(head!)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
  const { iat, exp, ...claims } = JSON.parse(body!);
  expect(exp - iat).toBe(600);
  expect(claims).toEqual({
    iss: publicUrl,
    aud: `${publicUrl}/mcp`,
    sub: member.user_id,
    client_id,
    gid: grant_id,
    jti: expect.any(String),
    scope: 'tool:read_profile tool:list_matches',
  });
});

test('a code works once: its second use ends everything that came from it', async () => {
  const connection = await connectClient(app, await app.registerMember());
  const again = await exchange(connection);
  expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
  expect(await isConnected(connection)).toEqual([401, 400]);
});

test('a refresh token works once: its second use ends everything that came from it', async () => {
  const connection = await connectClient(app, await app.registerMember());
  const renewed = await refresh(connection);
  expect(renewed.status).toBe(200);
  expect(renewed.body.refresh_token).not.toBe(connection.refresh_token);
  expect((await callTool(renewed.body.access_token)).status).toBe(200);
  app.clock.advance(repeat_seconds * 1000);
  const reused = await refresh(connection);
  expect([reused.status, reused.body.error]).toEqual([400, 'invalid_grant']);
  expect((await callTool(renewed.body.access_token)).status).toBe(401);
  expect((await refresh({ ...connection, ...renewed.body })).status).toBe(400);
});

test('a refresh that is repeated within ten seconds gets the same successor, and ends nothing', async () => {
  const connection = await connectClient(app, await app.registerMember());
  const lost = await refresh(connection);
  app.clock.advance(repeat_seconds * 1000 - 1);
  const repeated = await refresh(connection);
  expect([repeated.status, repeated.body.refresh_token]).toEqual([200, lost.body.refresh_token]);
  for (const { body } of [lost, repeated]) expect((await callTool(body.access_token)).status).toBe(200);
  expect((await refresh({ ...connection, ...repeated.body })).status).toBe(200);
});

test('a refresh token that is used again after its successor ends everything, also within ten seconds', async () => {
  const connection = await connectClient(app, await app.registerMember());
  const first = await refresh(connection);
  const second = await refresh({ ...connection, ...first.body });
  expect((await refresh(connection)).body.error).toBe('invalid_grant');
  expect(await isConnected({ ...connection, ...second.body })).toEqual([401, 400]);
});

test('a repeated refresh opens no grant that has ended, and none of another client', async () => {
  const { token, ...member } = await app.registerMember();
  const connection = await connectClient(app, { token, ...member });
  await refresh(connection);
  const client_id = await registerClient(app);
  expect((await refresh({ ...connection, client_id })).body.error).toBe('invalid_grant');
  const ended = await app.request('DELETE', `/auth/grants/${connection.grant_id}`, { token });
  expect(ended.status).toBe(204);
  expect((await refresh(connection)).body.error).toBe('invalid_grant');
});

test('simultaneous uses of a refresh token get one successor, and the grant goes on', async () => {
  const connection = await connectClient(app, await app.registerMember());
  const replies = await Promise.all(Array.from({ length: 10 }, () => refresh(connection)));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  const successors = new Set(replies.map(({ body }) => body.refresh_token));
  expect(successors.size).toBe(1);
  expect((await refresh({ ...connection, ...replies[0]!.body })).status).toBe(200);
});

test.each([
  ['without a verifier', { code_verifier: undefined }],
  ['with a wrong verifier', { code_verifier: 'A'.repeat(43) }],
  ['with another redirect address', { redirect_uri: 'https://client.example/other' }],
  ['by another client', { client_id: 'other' }],
])('a code is refused %s', async (_name, changes) => {
  const member = await app.registerMember();
  const other = await registerClient(app);
  const { code, verifier, client_id } = await requestCode(app, member);
  const given = 'client_id' in changes ? { client_id: other } : changes;
  const reply = await exchange({ code, verifier, client_id } as Connection, given);
  expect(reply.status).toBe(400);
  expect(['invalid_grant', 'invalid_request']).toContain(reply.body.error);
});

test('a code expires after a minute', async () => {
  const unexchanged = await requestCode(app, await app.registerMember());
  app.clock.advance(61_000);
  expect((await exchange(unexchanged as Connection)).body.error).toBe('invalid_grant');
});

test('a refresh that answers the call for a wider consent is refused, and works once the moment has passed', async () => {
  const connection = await connectClient(app, await app.registerMember());
  const sent = {
    token: connection.access_token,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_traits', arguments: {} } },
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
  };
  const asked = await app.request('POST', '//mcp', sent);
  expect([asked.status, asked.headers['www-authenticate']]).toEqual([
    403,
    expect.stringContaining('scope="tool:read_profile tool:read_traits tool:list_matches"'),
  ]);
  expect((await refresh(connection)).body.error).toBe('invalid_grant');
  expect((await callTool(connection.access_token)).status).toBe(200);
  app.clock.advance(10_000);
  expect((await refresh(connection)).status).toBe(200);
});

test('a refresh token belongs to its client', async () => {
  const connection = await connectClient(app, await app.registerMember());
  const other = await registerClient(app);
  expect((await refresh({ ...connection, client_id: other })).body.error).toBe('invalid_grant');
});

test('passwords give no tokens, and client credentials only with an assertion of a service key', async () => {
  const client_id = await registerClient(app);
  const request = async (grant_type: string) =>
    (await requestTokens(app, { grant_type, client_id })).body.error;
  expect(await request('password')).toBe('unsupported_grant_type');
  expect(await request('implicit')).toBe('unsupported_grant_type');
  expect(await request('client_credentials')).toBe('invalid_client');
});

test('a token expires after ten minutes', async () => {
  const { access_token } = await connectClient(app, await app.registerMember());
  app.clock.advance(599_000);
  expect((await callTool(access_token)).status).toBe(200);
  app.clock.advance(1_000);
  expect((await callTool(access_token)).body).toMatchObject({ status: 401, code: 'token_expired' });
});

test('the access token of the REST API is no capability token', async () => {
  const { token } = await app.registerMember();
  await expect(authenticateCapability(app.platform, `Bearer ${token}`)).rejects.toMatchObject({
    code: 'token_invalid',
  });
});

test('a token that is altered, unsigned or signed by another key is refused', async () => {
  const { access_token } = await connectClient(app, await app.registerMember());
  const [head, body, signature] = access_token.split('.') as [string, string, string];
  const more = Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(body, 'base64url').toString()), scope: 'tool:read_traits' }),
  ).toString('base64url');
  const unsigned = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
  for (const forged of [
    `${head}.${more}.${signature}`,
    `${unsigned}.${body}.`,
    `${head}.${body}.${signature.slice(2)}AA`,
  ])
    expect((await callTool(forged)).status).toBe(401);
});

test('a person who disconnects an agent ends its tokens at once', async () => {
  proves('oauth-capability-consent-revocable');
  const member = await app.registerMember();
  const connection = await connectClient(app, member);
  expect((await callTool(connection.access_token)).status).toBe(200);
  const { status } = await app.request('DELETE', `/auth/grants/${connection.grant_id}`, {
    token: member.token,
  });
  expect(status).toBe(204);
  expect(await isConnected(connection)).toEqual([401, 400]);
  await app.drainQueue();
  const { count } = await app.sql.one(
    sql<{
      count: number;
    }>`select count(*)::int as count from oauth_artifacts where grant_id = ${connection.grant_id}`,
  );
  expect(count).toBe(0);
});

test('a tool that is taken from a grant is gone from its tokens at once', async () => {
  proves('oauth-scope-decides-reachable-tools');
  const member = await app.registerMember();
  const { access_token, grant_id } = await connectClient(app, member);
  await app.request('DELETE', `/auth/grants/${grant_id}/tools/read_profile`, { token: member.token });
  expect((await callTool(access_token)).body.code).toBe('tool_not_granted');
});

test('the check of a grant costs one statement, by its primary key', async () => {
  const member = await app.registerMember();
  const { access_token } = await connectClient(app, member);
  const listOfCall = async (token: string) => {
    // The first call verifies the signature and stores when the grant was used.
    await callTool(token);
    return listStatements(async () => expect((await callTool(token)).status).toBe(200));
  };
  const own = await listOfCall(member.token);
  expect(own.length).toBeGreaterThan(0);
  const [lookUp, ...others] = await listOfCall(access_token);
  expect(others).toEqual(own);
  expect(lookUp).toContain('agent_grants.id = $1');
});

test('a suspended organisation has no agents until it is resumed', async () => {
  const admin = await app.registerPlatformAdmin();
  const org = await app.registerOrgAdmin();
  const { access_token: token } = await connectClient(app, org, {
    scope: 'tool:list_jobs',
    decision: { tools: ['list_jobs'] },
  });
  const move = (step: 'suspend' | 'resume') =>
    app.request('POST', `/operator/organisations/${org.org_id}/${step}`, { token: admin.token, body: {} });
  const listJobs = async () => (await app.request('GET', '/orgs/me/jobs', { token })).status;
  expect(await listJobs()).toBe(200);
  expect((await move('suspend')).status).toBe(200);
  expect(await listJobs()).toBe(401);
  expect((await move('resume')).status).toBe(200);
  expect(await listJobs()).toBe(200);
});

test('a new password ends the tokens of agents', async () => {
  const member = await app.registerMember();
  const connection = await connectClient(app, member);
  app.clock.advance(1_000);
  const { status } = await app.request('POST', '/auth/change-password', {
    token: await logInAgain(app, member),
    body: { current_password: password, new_password: 'Another-Horse-8-Battery' },
  });
  expect(status).toBe(204);
  expect(await isConnected(connection)).toEqual([401, 400]);
});

test('a suspended user and a closed account have no agents', async () => {
  const admin = await app.registerPlatformAdmin();
  const suspended = await app.registerMember();
  const connection = await connectClient(app, suspended);
  const reply = await app.request('POST', `/operator/users/${suspended.user_id}/suspend`, {
    token: admin.token,
  });
  expect(reply.status).toBeLessThan(300);
  expect(await isConnected(connection)).toEqual([401, 400]);

  const closing = await app.registerMember();
  const closed = await connectClient(app, closing);
  expect((await app.request('DELETE', '/members/me', { token: closing.token })).status).toBeLessThan(300);
  expect(await isConnected(closed)).toEqual([401, 400]);
});

test('a client revokes its refresh token, and thereby its capability tokens', async () => {
  const connection = await connectClient(app, await app.registerMember());
  expect((await revoke(connection, connection.refresh_token)).status).toBe(200);
  expect(await isConnected(connection)).toEqual([401, 400]);
});

test('a client revokes its capability token, and another client cannot', async () => {
  const connection = await connectClient(app, await app.registerMember());
  const other = await registerClient(app);
  expect((await revoke({ client_id: other }, connection.access_token)).status).toBe(200);
  expect((await callTool(connection.access_token)).status).toBe(200);
  expect((await revoke(connection, `${connection.access_token.slice(0, -4)}AAAA`)).status).toBe(200);
  expect((await callTool(connection.access_token)).status).toBe(200);
  expect((await revoke(connection, connection.access_token)).status).toBe(200);
  expect(await isConnected(connection)).toEqual([401, 400]);
});

test('an agent cannot call a row that no tool is for', async () => {
  const { access_token: token } = await connectClient(app, await app.registerMember());
  const refused = [
    ['GET', '/auth/sessions'],
    ['GET', '/auth/grants'],
    ['DELETE', '/members/me'],
    ['POST', '/auth/reauthenticate'],
    ['POST', '/auth/change-password'],
  ] as const;
  for (const [method, path] of refused) {
    const { status, body } = await app.request(method, path, {
      token,
      ...(method === 'POST' && { body: {} }),
    });
    expect([path, status, body.code]).toEqual([path, 403, 'tool_not_granted']);
  }
});

test('a key that is rotated signs the next token, and older tokens stay valid', async () => {
  const member = await app.registerMember();
  const older = await connectClient(app, member);
  await app.platform.keys.rotate('access_token');
  const newer = await connectClient(app, member);
  const readKid = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid;
  expect(readKid(newer.access_token)).not.toBe(readKid(older.access_token));
  expect((await callTool(older.access_token)).status).toBe(200);
  expect((await callTool(newer.access_token)).status).toBe(200);
});

test('what is stored contains no code and no token', async () => {
  const connection = await connectClient(app, await app.registerMember());
  const rows = await app.sql.list(sql`select encode(id_hash, 'hex') as id, payload from oauth_artifacts`);
  const text = JSON.stringify(rows);
  for (const secret of [connection.code, connection.refresh_token, connection.access_token])
    expect(text).not.toContain(secret);
});

test('software of other makers accepts the token as one of RFC 9068', async () => {
  app.clock.set(new Date());
  const { access_token } = await connectClient(app, await app.registerMember());
  const { body } = await app.request('GET', '//.well-known/jwks.json');
  const server: oauth.AuthorizationServer = {
    issuer: publicUrl,
    jwks_uri: `${publicUrl}/.well-known/jwks.json`,
  };
  const claims = await oauth.validateJwtAccessToken(
    server,
    new Request(`${publicUrl}/mcp`, { headers: { authorization: `Bearer ${access_token}` } }),
    `${publicUrl}/mcp`,
    {
      [oauth.customFetch]: async () => Response.json(body),
    },
  );
  expect(claims.scope).toBe('tool:read_profile tool:list_matches');
});

function revoke({ client_id }: { readonly client_id: string }, token: string) {
  return app.request('POST', '//oauth/revoke', {
    raw: new URLSearchParams({ token, client_id }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
}

test('a grant is refreshed at most sixty times an hour, and a refresh that is refused uses up nothing', async () => {
  const connection = await connectClient(app, await app.registerMember());
  let { refresh_token } = connection;
  const renew = async () => {
    const { status, headers, body } = await refresh({ ...connection, refresh_token });
    if (status === 200) refresh_token = body.refresh_token;
    return [status, headers['retry-after']];
  };
  // The code gave the first of sixty.
  for (let done = 0; done < 59; done++) expect(await renew()).toEqual([200, undefined]);
  expect(await renew()).toEqual([429, '3600']);
  expect(await renew()).toEqual([429, '3600']);
  // Another grant of the same user is not affected.
  const other = await connectClient(app, await app.registerMember());
  expect((await refresh(other)).status).toBe(200);
  app.clock.advance(3_600_000);
  expect(await renew()).toEqual([200, undefined]);
});

test('an assertion of a client is accepted once, also of two at the same time, and lives ten minutes at most', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  // The first key cannot be used.
  const keys = [
    { kty: 'RSA', n: 'AQAB' },
    { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' },
  ];
  const client_id = await registerClient(app, {
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys },
  });
  const sign = (seconds: number) =>
    new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer(client_id)
      .setSubject(client_id)
      .setAudience(publicUrl)
      .setExpirationTime(`${seconds} s`)
      .sign(privateKey);
  const send = async (client_assertion: string) => {
    const { body } = await requestTokens(app, {
      grant_type: 'refresh_token',
      refresh_token: 'unknown',
      client_id,
      client_assertion,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    });
    return body.error;
  };
  const first = await sign(300);
  // The client is known, and the refresh token is not.
  expect([await send(first), await send(first)]).toEqual(['invalid_grant', 'invalid_client']);
  const second = await sign(300);
  const both = await Promise.all([send(second), send(second), send(second)]);
  expect(both.toSorted()).toEqual(['invalid_client', 'invalid_client', 'invalid_grant']);
  expect(await send(await sign(1_200))).toBe('invalid_client');
});

test.each(['refresh_token', 'client_id', 'code', 'scope', 'no_such_field'])(
  'a NUL or a very long %s is an error of OAuth',
  async (name) => {
    const client_id = await registerClient(app);
    const parameters = { grant_type: 'refresh_token', refresh_token: 'unknown', client_id };
    for (const value of ['a\0b', 'a'.repeat(4_097)]) {
      const { status, body } = await requestTokens(app, { ...parameters, [name]: value });
      expect([status, body.error, typeof body.error_description]).toEqual([400, 'invalid_request', 'string']);
    }
  },
);

test('agents that use up their quota cannot keep their user from stopping them', async () => {
  const limited = await startApp({ TESSERA_RATE_LIMITS: 'on' });
  const member = await limited.registerMember();
  const [first, second] = [await connectClient(limited, member), await connectClient(limited, member)];
  const read = async (token: string) => (await limited.request('GET', '/members/me', { token })).status;
  const statuses = [];
  for (let sent = 0; sent < 120; sent++)
    statuses.push(await read(sent % 2 === 0 ? first.access_token : second.access_token));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect([await read(first.access_token), await read(second.access_token)]).toEqual([429, 429]);
  const revoked = await limited.request('DELETE', `/auth/grants/${first.grant_id}`, { token: member.token });
  expect(revoked.status).toBe(204);
});
