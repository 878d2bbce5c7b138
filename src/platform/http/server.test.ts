import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Type, type TSchema } from 'typebox';
import { beforeAll, describe, expect, test } from 'vitest';
import { row } from '#platform/http/row.ts';
import { compileSchemas } from '#platform/http/row-steps.ts';
import { operation, redirect, reply, type Context } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { proves } from '#test/requirements.ts';
import { createEchoRow, openTestServer, type TestServer } from '#test/test-server.ts';

const anything = Type.Unsafe<unknown>({});
/** Creates a row with an operation without input at GET `path`. */
function createGetRow(
  path: string,
  run: (context: Context<never>) => Promise<unknown>,
  who: 'anyone' | readonly ['member'] = 'anyone',
  output: object = anything,
) {
  const getting = operation({
    name: 'test.get',
    summary: 'Returns a value.',
    who,
    input: closedObject({}),
    output: { 200: output as typeof anything },
    refuses: [],
    // The roles of `who` are known only at run time here.
    run: async (context) => run(context as Context<never>),
  });
  return row('GET', path, who === 'anyone' ? 'public' : 'jwt', getting);
}

const strict = closedObject({ id: Type.String() });
const cookie = { name: 'session', value: 'top-secret', max_age_s: 60, path: '/' };

const rows = [
  createEchoRow({ text: Type.Optional(Type.String({ maxLength: 300_000 })), deep: Type.Optional(anything) }),
  createGetRow('/who', async ({ caller }) => caller),
  createGetRow('/address', async ({ request }) => request.address),
  createGetRow('/cookies', async ({ request }) => request.cookies),
  createGetRow('/members', async ({ caller }) => caller, ['member']),
  createGetRow('/defect', async () => {
    throw new Error('password of the database: hunter2');
  }),
  createGetRow('/thrown', async () => {
    // Some libraries throw values that are not errors.
    // oxlint-disable-next-line typescript/only-throw-error
    throw 'just a text';
  }),
  createGetRow('/leak', async () => reply(200, { id: 'a', hidden: 'hunter2' }, [cookie]), 'anyone', strict),
  // A line break in a header value would start another header.
  createGetRow(
    '/split',
    async () => reply(200, { location: '/a\r\nset-cookie: b=hunter2' }, [cookie]),
    'anyone',
    redirect(),
  ),
  createGetRow('/undeclared', async () => reply(299, { id: 'a' })),
  createGetRow('/items/{id}', async () => 'never'),
  createGetRow('/slow', () => pause(300, 'slow')),
];

const json = { 'content-type': 'application/json' };
let testServer: TestServer;
let port: number;
beforeAll(async () => {
  testServer = await openTestServer(rows);
  ({ port } = await testServer.listen());
});

type Sent = { readonly body?: string | Buffer; readonly headers?: Readonly<Record<string, string>> };

async function send(method: string, path: string, { body, headers }: Sent = {}) {
  const response = await testServer.server.inject({
    method: method as 'GET',
    url: path.startsWith('//') ? path.slice(1) : `/api/v1${path}`,
    headers: { ...(body !== undefined && json), ...headers },
    ...(body !== undefined && { payload: body }),
  });
  // Replies have different shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  let parsed: any;
  try {
    parsed = response.json();
  } catch {
    parsed = undefined;
  }
  return { status: response.statusCode, headers: response.headers, text: response.payload, body: parsed };
}

/** Sends raw bytes, and reads until the server closes the connection or `ms` have passed. */
function sendBytes(bytes: string | Buffer, ms = 1_000): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    const finish = () => {
      socket.destroy();
      resolve(text);
    };
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', finish);
    socket.on('error', finish);
    socket.setTimeout(ms, finish);
  });
}

function formatPost(body: string, contentType?: string): string {
  const type = contentType === undefined ? '' : `${contentType}\r\n`;
  return `POST /api/v1/echo HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${type}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

describe('a body', () => {
  const postEcho = (body: string | Buffer, headers?: Record<string, string>) =>
    send('POST', '/echo', { body, ...(headers && { headers }) });

  test('is parsed as JSON and returned as JSON', async () => {
    proves('surface-json-bodies', 'version-url-prefix-api-v1');
    const { status, body, headers } = await postEcho('{"text":"é"}');
    expect([status, body]).toEqual([200, { text: 'é' }]);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test.each(['{', '{"text":}', '{"text":"a"}}', "{'text':1}", '{"text":"a\nb"}', '\0', 'NaN'])(
    'that is not JSON gets status 400: %j',
    async (body) => {
      expect(await postEcho(body)).toMatchObject({ status: 400, body: { code: 'body_malformed' } });
    },
  );

  test('that is not UTF-8 gets status 400 and is not silently changed', async () => {
    const body = Buffer.concat([Buffer.from('{"text":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    expect(await postEcho(body)).toMatchObject({ status: 400, body: { code: 'body_malformed' } });
    const surrogate = Buffer.concat([
      Buffer.from('{"text":"'),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from('"}'),
    ]);
    expect((await postEcho(surrogate)).status).toBe(400);
  });

  test('is not coerced: a number is not accepted as a string', async () => {
    expect(await postEcho('{"text":5}')).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/text', reason: 'must be a string' }] },
    });
  });

  test.each(['null', '[]', '"text"', '5'])('that is not an object gets status 422: %s', async (body) => {
    expect((await postEcho(body)).status).toBe(422);
  });

  test('may be absent if no field is required', async () => {
    expect(await send('POST', '/echo')).toMatchObject({ status: 200, body: {} });
    expect(await send('POST', '/echo', { body: '', headers: json })).toMatchObject({ status: 200, body: {} });
  });

  test('may have 256 KiB; one byte more gets status 413', async () => {
    const exact = `{"text":"${'a'.repeat(256 * 1024 - 11)}"}`;
    expect(Buffer.byteLength(exact)).toBe(256 * 1024);
    expect((await postEcho(exact)).status).toBe(200);
    expect(await postEcho(`${exact} `)).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  });

  test('that is too large and sent in chunks gets status 413', async () => {
    const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
    const head =
      'POST /api/v1/echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
    expect(await sendBytes(`${head}${chunk.repeat(5)}0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413/);
  });

  test('may nest 32 levels; one level more gets status 422', async () => {
    const nestArrays = (levels: number) => `{"deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect((await postEcho(nestArrays(32))).status).toBe(200);
    expect(await postEcho(nestArrays(33))).toMatchObject({ status: 422, body: { code: 'body_too_deep' } });
    expect((await postEcho('['.repeat(100_000))).status).toBe(422);
  });

  test.each([
    '{"__proto__":{"admin":true}}',
    '{"deep":{"__proto__":1}}',
    '{"deep":{"constructor":{"prototype":1}}}',
    '{"\\u005f_proto__":1}',
  ])('cannot pollute prototypes: %s', async (body) => {
    expect((await postEcho(body)).status).toBe(400);
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  test.each(['{"text":"a\\u0000b"}', '{"deep":[{"a":"\\ud800"}]}', '{"deep":{"k\\u0000":1}}'])(
    'with text that the database cannot store gets status 422: %s',
    async (body) => {
      expect(await postEcho(body)).toMatchObject({ status: 422, body: { code: 'field_invalid' } });
    },
  );

  test('may contain escaped characters, and a backslash before a u', async () => {
    expect((await postEcho('{"text":"\\ud83d\\ude00\\\\u0000"}')).body).toEqual({ text: '😀\\u0000' });
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonx',
  ])('of another media type gets status 415: %s', async (type) => {
    expect(await postEcho('{"unknown":1}', { 'content-type': type })).toMatchObject({
      status: 415,
      body: { code: 'media_type_unsupported' },
    });
  });

  test.each([
    undefined,
    'content-type: application/json\t; charset=utf-8',
    'content-type:  application/json',
    'content-type: application/json;',
    'content-type: APPLICATION/JSON',
    'content-type: application/json ; a=b',
    'content-type: application/json, text/plain',
    'content-type: text/plain, application/json',
    'content-type: application/json\r\ncontent-type: text/plain',
    'content-type: text/plain\r\ncontent-type: application/json',
    'content-type: application/json; charset=utf-16',
    'content-type:',
    'content-type: ;application/json',
    'content-type: application/json\x0b',
  ])('never bypasses validation by its content type: %j', async (contentType) => {
    expect(await sendBytes(formatPost('{"unknown":1}', contentType))).toMatch(/^HTTP\/1\.1 (400|415|422) /);
    expect(await sendBytes(formatPost('{"text":5}', contentType))).toMatch(/^HTTP\/1\.1 (400|415|422) /);
  });

  test('of a GET request is ignored', async () => {
    expect((await send('GET', '/who', { body: '{"a":1}' })).status).toBe(200);
  });
});

describe('a path', () => {
  test('that is unknown gets status 404, and a known one with another method gets 405 with the allowed methods', async () => {
    expect(await send('GET', '/nowhere')).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
    expect(await send('GET', '//nowhere')).toMatchObject({ status: 404 });
    const { status, headers, body } = await send('PUT', '/echo', { body: '{}' });
    expect([status, headers.allow, body.code]).toEqual([405, 'POST, OPTIONS', 'method_not_allowed']);
    expect((await send('POST', '/who')).headers.allow).toBe('GET, HEAD, OPTIONS');
    expect((await send('HEAD', '/echo')).status).toBe(405);
    expect((await send('DELETE', '/items/1')).headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  test('with HEAD gets the headers of GET without a body', async () => {
    const { status, headers, text } = await send('HEAD', '/who');
    expect([status, text]).toEqual([200, '']);
    expect(headers['content-length']).toBe(String((await send('GET', '/who')).text.length));
  });

  test.each([
    '/items/%',
    '/items/%zz',
    '/items/%c3%28',
    `/items/${'a'.repeat(201)}`,
    '/items/%00',
    '/who?a=%00',
    '/items/a%2Fb%00',
  ])('that cannot be decoded gets a problem with all headers: %s', async (path) => {
    const { status, headers, body } = await send('GET', path);
    expect([400, 404, 422]).toContain(status);
    expect(headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/problem\+json/),
      'x-content-type-options': 'nosniff',
    });
    expect(body.request_id).toBe(headers['x-request-id']);
  });

  test('is case-sensitive, and may end with a slash', async () => {
    expect((await send('GET', '/WHO')).status).toBe(404);
    expect((await send('GET', '/who/')).status).toBe(200);
    expect((await send('GET', '/who//')).status).toBe(404);
  });
});

describe('every reply', () => {
  const replies: [method: string, path: string, sent?: Sent][] = [
    ['GET', '/who'],
    ['GET', '/nowhere'],
    ['PUT', '/who'],
    ['GET', '/defect'],
    ['GET', '/members'],
    ['POST', '/echo', { body: '{' }],
    ['POST', '/echo', { body: 'x', headers: { 'content-type': 'text/plain' } }],
    ['GET', '/items/%'],
    ['OPTIONS', '/who'],
    ['GET', '//health'],
    ['PUT', '/planned/1'],
  ];

  test.each(replies)('has the headers that protect browsers: %s %s', async (method, path, sent) => {
    const { headers } = await send(method, path, sent);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  test('has a unique request id that the client does not choose', async () => {
    const [one, other] = await Promise.all([
      send('GET', '/who', { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } }),
      send('GET', '/who'),
    ]);
    expect(one.headers['x-request-id']).not.toBe('mine');
    expect(one.headers['x-request-id']).not.toBe(other.headers['x-request-id']);
  });

  test('writes one log line, without path parameters, queries or tokens', async () => {
    const { headers } = await send('GET', '/items/secret-id?token=hunter3', {
      headers: { authorization: 'Bearer ada' },
    });
    const lines = testServer
      .readLog()
      .split('\n')
      .filter((line) => line.includes(String(headers['x-request-id'])));
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/secret-id|hunter3|Bearer/);
  });

  test('to a preflight request lists the allowed methods and headers', async () => {
    const { status, headers, text } = await send('OPTIONS', '/echo', {
      headers: {
        origin: 'https://a.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
    expect([status, text]).toEqual([204, '']);
    expect(headers['access-control-allow-methods']).toContain('PATCH');
    for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key', 'PAYMENT-SIGNATURE'])
      expect(headers['access-control-allow-headers']).toContain(name);
  });
});

describe('a problem', () => {
  test('has a stable code, a sentence, the path and the request id', async () => {
    const { status, headers, body } = await send('GET', '/nowhere?token=secret');
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(body).toEqual({
      type: '/docs/problems#route_not_found',
      title: 'This path does not exist.',
      status,
      detail: 'This path does not exist.',
      instance: '/api/v1/nowhere',
      code: 'route_not_found',
      request_id: headers['x-request-id'],
    });
  });

  test.each(['/defect', '/thrown', '/leak', '/split', '/undeclared'])(
    'caused by a defect reveals only the request id: %s',
    async (path) => {
      const { status, body, headers, text } = await send('GET', path);
      expect([status, body.code]).toEqual([500, 'internal_error']);
      expect(text).not.toMatch(/hunter2|just a text|Error|at |hidden|"status":299/);
      expect(headers).not.toHaveProperty('set-cookie');
      const line = testServer
        .readLog()
        .split('\n')
        .find((line) => line.includes(body.request_id) && line.includes('"error"'));
      expect(line).toBeDefined();
    },
  );

  test('about a missing or invalid token has the challenge of RFC 6750', async () => {
    proves('error-missing-role-refused');
    const missing = await send('GET', '/members');
    expect([missing.status, missing.body.code, missing.headers['www-authenticate']]).toEqual([
      401,
      'authentication_required',
      'Bearer realm="tessera"',
    ]);
    for (const [token, code] of [
      ['Bearer nobody', 'token_invalid'],
      ['Bearer expired', 'token_expired'],
      ['Basic YTpi', 'token_invalid'],
      ['', 'token_invalid'],
    ] as const) {
      const { status, body, headers } = await send('GET', '/members', { headers: { authorization: token } });
      expect([status, body.code]).toEqual([401, code]);
      expect(headers['www-authenticate']).toBe('Bearer realm="tessera", error="invalid_token"');
    }
  });
});

describe('the caller', () => {
  test('is the owner of the token or anonymous, and public endpoints ignore an invalid token', async () => {
    proves('surface-rest-uses-jwt-bearer');
    expect((await send('GET', '/who', { headers: { authorization: 'Bearer ada' } })).body).toMatchObject({
      user_id: 'ada',
    });
    expect((await send('GET', '/who')).body).toEqual({ role: 'anonymous' });
    expect((await send('GET', '/who', { headers: { authorization: 'Bearer expired' } })).body).toEqual({
      role: 'anonymous',
    });
  });

  test('is identified by the address of the connection, not by a header', async () => {
    const { body } = await send('GET', '/address', {
      headers: { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' },
    });
    expect(body).toBe('127.0.0.1');
  });

  test('is identified by the entry of a trusted proxy, and of no other client', async () => {
    const proxied = await openTestServer([createGetRow('/address', async ({ request }) => request.address)], {
      TESSERA_TRUSTED_PROXIES: '10.0.0.0/8',
    });
    const readAddress = async (remoteAddress: string) => {
      const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
      return (
        await proxied.server.inject({ method: 'GET', url: '/api/v1/address', remoteAddress, headers })
      ).json<string>();
    };
    expect(await readAddress('10.1.2.3')).toBe('198.51.100.7');
    expect(await readAddress('192.0.2.1')).toBe('192.0.2.1');
  });

  test.each([
    ['203.0.113.8:5001', '203.0.113.8'],
    ['203.0.113.8:5001, 10.0.0.9:443', '203.0.113.8'],
    ['[2001:DB8::8]:5001, [::ffff:10.0.0.9]:443', '2001:db8::8'],
    ['2001:db8::8', '2001:db8::8'],
    ['unknown', '10.1.2.3'],
    ['203.0.113.8, unknown, 10.0.0.9', '10.0.0.9'],
  ])('has one address, however the proxies write it: %s', async (forwarded, address) => {
    const proxied = await openTestServer([createGetRow('/address', async ({ request }) => request.address)], {
      TESSERA_TRUSTED_PROXIES: '10.0.0.0/8',
    });
    const headers = { 'x-forwarded-for': forwarded };
    const reply = await proxied.server.inject({
      method: 'GET',
      url: '/api/v1/address',
      remoteAddress: '::ffff:10.1.2.3',
      headers,
    });
    expect(reply.json<string>()).toBe(address);
  });

  test('has no cookies if another site caused the request', async () => {
    const readCookies = async (site?: string) =>
      (
        await send('GET', '/cookies', {
          headers: { cookie: 'refresh_token=a', ...(site && { 'sec-fetch-site': site }) },
        })
      ).body;
    expect(await readCookies()).toEqual({ refresh_token: 'a' });
    expect(await readCookies('same-origin')).toEqual({ refresh_token: 'a' });
    expect(await readCookies('cross-site')).toEqual({});
  });
});

describe('malformed HTTP', () => {
  test.each([
    ['nonsense', 'NONSENSE\r\n\r\n', 400],
    ['no host', 'GET /api/v1/who HTTP/1.1\r\n\r\n', 400],
    [
      'two lengths',
      'POST /api/v1/echo HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
      400,
    ],
    [
      'length and chunks',
      'POST /api/v1/echo HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['headers without end', `GET / HTTP/1.1\r\nhost: x\r\na: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s gets a reply and the connection is closed', async (_, bytes, status) => {
    const reply = await sendBytes(bytes);
    expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(reply).not.toMatch(/node|fastify|HPE_/i);
  });

  test('a client that disconnects during its body or before the reply leaves no request in flight', async () => {
    await sendBytes(
      'POST /api/v1/echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"te',
      50,
    );
    await sendBytes('GET /api/v1/slow HTTP/1.1\r\nhost: x\r\n\r\n', 50);
    expect((await send('GET', '/who')).status).toBe(200);
    await expect
      .poll(() => testServer.platform.metrics.formatText())
      .toMatch(/^tessera_http_requests_in_flight 0$/m);
  });
});

test('the rate limit refuses the first request over the quota, with Retry-After', async () => {
  const limited = await openTestServer(rows, { TESSERA_RATE_LIMITS: 'on' });
  const ask = async (url: string, headers = {}, remoteAddress = '192.0.2.7') =>
    limited.server.inject({ method: 'GET', url, remoteAddress, headers });
  for (let count = 1; count <= 40; count++) {
    const { statusCode, headers } = await ask('/api/v1/who');
    expect(statusCode).toBe(200);
    expect(headers['ratelimit']).toBe(`"minute";r=${40 - count};t=60, "day";r=${20_000 - count};t=86400`);
    expect(headers['ratelimit-policy']).toBe('"minute";q=40;w=60, "day";q=20000;w=86400');
  }
  const refused = await ask('/api/v1/who');
  expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([
    429,
    'too_many_requests',
    '60',
  ]);
  // Another spelling of the path, an unknown path, a forged header or an invalid token does not bypass the limit.
  for (const url of ['/%61pi/v1/who', '/api/v1/nowhere', '/nowhere', '/api/v1/planned/1', '//api/v1/who'])
    expect((await ask(url)).statusCode).toBe(429);
  expect((await ask('/api/v1/who', { 'x-forwarded-for': '203.0.113.1' })).statusCode).toBe(429);
  expect((await ask('/api/v1/who', { authorization: 'Bearer nobody' })).statusCode).toBe(429);
  // Other addresses, the health check and logged-in callers are not affected.
  expect((await ask('/api/v1/who', {}, '192.0.2.8')).statusCode).toBe(200);
  expect((await ask('/health')).statusCode).toBe(200);
  expect((await ask('/api/v1/who', { authorization: 'Bearer ada' })).statusCode).toBe(200);
  limited.clock.advance(60_000);
  expect((await ask('/api/v1/who')).statusCode).toBe(200);
});

test('a request with an invalid token counts for its network address', async () => {
  const limited = await openTestServer(rows, { TESSERA_RATE_LIMITS: 'on' });
  const ask = (authorization: string) =>
    limited.server.inject({ method: 'GET', url: '/api/v1/members', headers: { authorization } });
  for (let count = 1; count <= 40; count++) expect((await ask('Bearer nobody')).statusCode).toBe(401);
  expect((await ask('Bearer nobody')).statusCode).toBe(429);
  expect((await ask('Bearer ada')).statusCode).toBe(200);
});

test('an invalid token is refused under any spelling of the path', async () => {
  const { statusCode } = await testServer.server.inject({
    method: 'GET',
    url: '/%61pi/v1/members',
    headers: { authorization: 'Bearer nobody' },
  });
  expect(statusCode).toBe(401);
});

test('simultaneous requests get the same replies as single ones', async () => {
  const requests = [
    ['GET', '/who', 200],
    ['GET', '/nowhere', 404],
    ['GET', '/items/one?unknown=1', 422],
    ['DELETE', '/who', 405],
  ] as const;
  const replies = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const [method, path] = requests[index % requests.length]!;
      return send(method, path);
    }),
  );
  expect(replies.map(({ status }) => status)).toEqual(replies.map((_, index) => requests[index % 4]![2]));
  expect(new Set(replies.map(({ headers }) => headers['x-request-id'])).size).toBe(replies.length);
});

test('a server that stops finishes running requests and refuses new ones with a problem', async () => {
  const stopping = await openTestServer(rows);
  const { port: at } = await stopping.listen();
  const socket = connect(at, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.write('GET /api/v1/slow HTTP/1.1\r\nhost: x\r\n\r\n');
  await expect
    .poll(() => stopping.platform.metrics.formatText(), { interval: 5 })
    .toMatch(/^tessera_http_requests_in_flight 1$/m);
  const began = performance.now();
  const closed = stopping.server.close();
  socket.write('GET /api/v1/who HTTP/1.1\r\nhost: x\r\n\r\n');
  await closed;
  // An idle connection would be kept for much longer.
  expect(performance.now() - began).toBeLessThan(10_000);
  await expect
    .poll(() => text)
    .toMatch(/^HTTP\/1\.1 200 OK[\s\S]*"slow"[\s\S]*HTTP\/1\.1 503 [\s\S]*"code":"shutting_down"/);
  expect(text).toMatch(/connection: close/i);
  socket.destroy();
});

test('a request on a silent connection of a server that stops gets a reply, and no connection is lost unanswered', async () => {
  const stopping = await openTestServer(rows);
  const { port: at } = await stopping.listen();
  const socket = connect(at, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.write('GET /api/v1/who HTTP/1.1\r\nhost: x\r\n\r\n');
  await expect.poll(() => text, { interval: 5 }).toMatch(/^HTTP\/1\.1 200 /);
  const closed = stopping.server.close();
  // A new connection is refused, so that the load balancer chooses another node.
  await expect.poll(() => isAccepted(at), { interval: 5 }).toBe(false);
  socket.write('GET /api/v1/who HTTP/1.1\r\nhost: x\r\n\r\n');
  await expect.poll(() => text).toMatch(/HTTP\/1\.1 503 [\s\S]*connection: close[\s\S]*"shutting_down"/i);
  await closed;
});

function isAccepted(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

test('an https service sends Strict-Transport-Security', async () => {
  const secure = await openTestServer(rows, { TESSERA_PUBLIC_URL: 'https://tessera.example' });
  const { headers } = await secure.server.inject({ method: 'GET', url: '/api/v1/who' });
  expect(headers['strict-transport-security']).toMatch(/max-age=31536000/);
});

test('a request finds its schemas compiled, unless the service stops before', async () => {
  let compilations = 0;
  const watched = {
    type: 'string',
    get maxLength() {
      compilations++;
      return 5;
    },
  } as const;
  const createRow = (output: TSchema) =>
    row(
      'POST',
      '/watched',
      'public',
      operation({
        name: 'test.watched',
        summary: 'Echoes.',
        who: 'anyone',
        input: closedObject({ text: watched }),
        output: { 200: output },
        refuses: [],
        run: async (_, { text }) => text,
      }),
    );
  const echo = createRow(Type.String());
  const { server } = await openTestServer([echo]);
  await compileSchemas([echo], AbortSignal.abort());
  expect(compilations).toBe(0);
  await compileSchemas([echo], new AbortController().signal);
  const before = compilations;
  expect(before).toBeGreaterThan(0);
  const { json } = await server.inject({
    method: 'POST',
    url: '/api/v1/watched',
    payload: { text: 'short' },
  });
  expect(json()).toBe('short');
  expect(compilations).toBe(before);
  const unusable = createRow(Type.Unsafe<string>({ type: 'no type' }));
  await expect(compileSchemas([unusable], new AbortController().signal)).rejects.toThrow('JSONType');
});
