import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCertificate } from '#test/certificate.ts';
import { createFetchOutbound, OutboundError } from './outbound.ts';

const limits = { timeout_ms: 3_000, max_bytes: 1_000 };
const closing: (Server | TcpServer)[] = [];
afterAll(() => {
  for (const server of closing) {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  }
});

async function listening(server: Server | TcpServer, host = '127.0.0.1', at = 0): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(at, host, resolve));
  closing.push(server);
  return (server.address() as AddressInfo).port;
}

const serving = (listener: RequestListener, host?: string, at?: number) =>
  listening(createServer(listener), host, at);

async function faultOf(answered: Promise<unknown>): Promise<unknown> {
  return answered.then(
    () => 'answered',
    (error: unknown) => (error instanceof OutboundError ? error.fault : error),
  );
}

/** Where everything is answered with what it saw. */
let seen: string[] = [];
let port: number;
beforeAll(async () => {
  port = await serving((request, response) => {
    seen.push(`${request.method} ${request.headers.host}${request.url}`);
    response.setHeader('x-saw', JSON.stringify(request.headers)).end('hello');
  });
});

describe('in production, a URL', () => {
  const strict = createFetchOutbound({
    allowPrivate: false,
    resolve: async () => ['8.8.8.8'],
    isAllowed: () => false,
  });

  test.each([
    '',
    'metadata',
    '/etc/passwd',
    'file:///etc/passwd',
    'ftp://example.org/',
    'gopher://example.org/',
    'data:text/xml,<a/>',
    'javascript:alert(1)',
    'http://example.org/',
    'https://',
    'https://user@example.org/',
    'https://user:password@example.org/',
    'https://:password@example.org/',
    'https://example.org:25/',
    'https://example.org:22/',
    'https://example.org:80/',
    'https://example.org:0/',
    'https://example.org:65536/',
  ])('of this kind is refused before any name is looked up: %j', async (url) => {
    let looked_up = 0;
    const counting = createFetchOutbound({ allowPrivate: false, resolve: async () => [String(looked_up++)] });
    expect(await faultOf(counting(url, limits))).toBe('url_forbidden');
    expect(looked_up).toBe(0);
  });

  test.each(['https://example.org', 'https://example.org:443/a', 'https://example.org:8443/a?b=c#d'])(
    'of this kind is looked up: %s',
    async (url) => {
      expect(await faultOf(strict(url, limits))).toBe('address_forbidden');
    },
  );
});

describe('no request reaches an inside address', () => {
  const guarded = (...addresses: readonly string[]) =>
    createFetchOutbound({ allowPrivate: false, resolve: async () => addresses });

  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '0177.0.0.1',
    '127.1',
    '0',
    '10.0.0.1',
    '169.254.169.254',
    '169.254.43518',
    '192.168.1.1',
    '100.64.0.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[fd00::1]',
    '[fe80::1]',
    '１２７.０.０.１',
    '127.0.0.1.',
    '①②⑦.0.0.1',
  ])('written as the host %s', async (host) => {
    expect(await faultOf(guarded('8.8.8.8')(`https://${host}:8443/`, limits))).toBe('address_forbidden');
  });

  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '::1',
    '::ffff:10.0.0.1',
    'fd00::1',
    '64:ff9b::a00:1',
    'not-an-address',
  ])('under a name that leads to %s', async (address) => {
    expect(await faultOf(guarded(address)('https://inside.example/', limits))).toBe('address_forbidden');
  });

  test('under a name of which one address is public and another is not', async () => {
    for (const addresses of [
      ['8.8.8.8', '127.0.0.1'],
      ['::1', '8.8.8.8'],
    ])
      expect(await faultOf(guarded(...addresses)('https://both.example/', limits))).toBe('address_forbidden');
  });

  test('of the service itself, asked by its own resolver', async () => {
    const own = createFetchOutbound({ allowPrivate: false });
    expect(['address_forbidden', 'unresolvable']).toContain(
      await faultOf(own('https://localhost:8443/', limits)),
    );
  });
});

/** 127.0.0.1 stands for the public internet, and 127.0.0.2 for the inside. */
const isAllowed = (address: string) => address === '127.0.0.1';

describe('a name', () => {
  test('is looked up once, and the connection goes where the check said, under its own name', async () => {
    let looked_up = 0;
    const reached: string[] = [];
    const outside = createServer((request, response) => {
      reached.push(`outside as ${request.headers.host}`);
      response.end();
    });
    const at = await listening(outside);
    await serving((_, response) => (reached.push('inside'), response.end()), '127.0.0.2', at);
    const rebinding = async () => [looked_up++ === 0 ? '127.0.0.1' : '127.0.0.2'];
    const fetch = createFetchOutbound({ allowPrivate: true, resolve: rebinding, isAllowed });
    expect((await fetch(`http://rebinding.example:${at}/`, limits)).status).toBe(200);
    expect(looked_up).toBe(1);
    expect(reached).toEqual([`outside as rebinding.example:${at}`]);
    expect(await faultOf(fetch(`http://rebinding.example:${at}/`, limits))).toBe('address_forbidden');
    expect(reached).toHaveLength(1);
  });

  test('is proven by the certificate of the server behind it', async () => {
    const trusted = createCertificate({ name: 'idp.example', hosts: ['idp.example'] });
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), trusted.certificate]);
    const names: (string | undefined | false)[] = [];
    const server = createTlsServer(
      { key: trusted.privateKey, cert: trusted.certificate },
      (request, response) => {
        names.push((request.socket as tls.TLSSocket).servername as string | undefined, request.headers.host);
        response.end('proven');
      },
    );
    const at = await listening(server);
    const fetch = createFetchOutbound({ allowPrivate: false, resolve: async () => ['127.0.0.1'], isAllowed });
    expect((await fetch(`https://idp.example:${at}/`, limits)).body.toString()).toBe('proven');
    expect(names).toEqual(['idp.example', `idp.example:${at}`]);
    expect(await faultOf(fetch(`https://other.example:${at}/`, limits))).toBe('unreachable');
    expect(names).toHaveLength(2);
  });

  test('that nobody has is said to be so, and a server that is not there as well', async () => {
    const nobody = createFetchOutbound({ allowPrivate: true, resolve: async () => [] });
    expect(await faultOf(nobody('http://nobody.example/', limits))).toBe('unresolvable');
    const failing = createFetchOutbound({
      allowPrivate: true,
      resolve: () => Promise.reject(new Error('SERVFAIL')),
    });
    expect(await faultOf(failing('http://failing.example/', limits))).toBe('unresolvable');
    const fetch = createFetchOutbound({ allowPrivate: true });
    expect(await faultOf(fetch('http://127.0.0.1:1/', limits))).toBe('unreachable');
  });
});

describe('a redirect', () => {
  const fetch = createFetchOutbound({
    allowPrivate: true,
    resolve: async (host) => [host === 'inside.example' ? '127.0.0.2' : '127.0.0.1'],
    isAllowed,
  });
  const redirecting = (location: string, status = 302) =>
    serving((_, response) => response.writeHead(status, { location }).end());
  const following = { ...limits, redirects_max: 3 };

  test.each([301, 302, 303, 307, 308])('of status %i is followed where it is allowed', async (status) => {
    const at = await redirecting(`http://public.example:${port}/there`, status);
    expect((await fetch(`http://public.example:${at}/`, following)).body.toString()).toBe('hello');
    expect(await faultOf(fetch(`http://public.example:${at}/`, limits))).toBe('too_many_redirects');
  });

  test.each(['http://127.0.0.2:1/', 'http://inside.example/', 'http://2130706434/', '//inside.example/'])(
    'to the inside is refused: %s',
    async (location) => {
      const at = await redirecting(location);
      expect(await faultOf(fetch(`http://public.example:${at}/`, following))).toBe('address_forbidden');
    },
  );

  test.each(['file:///etc/passwd', 'http://user@public.example/', 'http://['])(
    'to another kind of place is refused: %s',
    async (location) => {
      const at = await redirecting(location);
      expect(await faultOf(fetch(`http://public.example:${at}/`, following))).toBe('url_forbidden');
    },
  );

  test('in a circle ends', async () => {
    let turns = 0;
    const at = await serving((_, response) => {
      turns++;
      response.writeHead(302, { location: '/again' }).end();
    });
    expect(await faultOf(fetch(`http://public.example:${at}/`, following))).toBe('too_many_redirects');
    expect(turns).toBe(4);
  });

  test('takes no header along to another server, and no POST', async () => {
    const headers = { authorization: 'secret' };
    const at = await redirecting(`http://elsewhere.example:${port}/`);
    const { headers: answered } = await fetch(`http://public.example:${at}/`, { ...following, headers });
    expect(JSON.parse(String(answered['x-saw']))).not.toHaveProperty('authorization');
    const { status } = await fetch(`http://public.example:${at}/`, {
      ...following,
      method: 'POST',
      body: 'x',
    });
    expect(status).toBe(302);
  });
});

describe('an answer', () => {
  const fetch = createFetchOutbound({ allowPrivate: true });
  const local = (at: number) => `http://127.0.0.1:${at}/`;

  test('brings status, headers and bytes, and the request brought its own', async () => {
    seen = [];
    const request = {
      ...limits,
      method: 'POST',
      body: 'ö',
      headers: { 'content-type': 'text/plain' },
    } as const;
    const { status, headers, body } = await fetch(`http://127.0.0.1:${port}/a?b=c`, request);
    expect([status, body.toString(), seen]).toEqual([200, 'hello', [`POST 127.0.0.1:${port}/a?b=c`]]);
    expect(JSON.parse(String(headers['x-saw']))).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '2',
      'accept-encoding': 'identity',
      'user-agent': 'Tessera',
    });
  });

  test('that is too long is refused, or cut where that is asked for', async () => {
    const at = await serving((_, response) => response.end('x'.repeat(1_001)));
    expect(await faultOf(fetch(local(at), limits))).toBe('too_large');
    expect((await fetch(local(at), { ...limits, whenTooLong: 'cut' })).body.length).toBe(1_000);
    expect((await fetch(local(at), { ...limits, max_bytes: 1_001 })).body.length).toBe(1_001);
  });

  test('without an end is read up to the limit and no further', async () => {
    let sent = 0;
    const at = await serving((_, response) => {
      const more = () =>
        void (response.destroyed || response.write('x'.repeat(1_000), () => (sent++, setImmediate(more))));
      more();
    });
    expect(await faultOf(fetch(local(at), { ...limits, max_bytes: 100_000 }))).toBe('too_large');
    expect(sent).toBeLessThan(100_000);
  });

  test('that is a decompression bomb stays as small as it came', async () => {
    const bomb = gzipSync(Buffer.alloc(900_000));
    const at = await serving((_, response) => response.setHeader('content-encoding', 'gzip').end(bomb));
    expect((await fetch(local(at), limits)).body).toEqual(bomb);
  });

  test('that drips, never comes or never starts is given up in time', async () => {
    const dripping = await serving((_, response) => {
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const silent = await serving(() => undefined);
    const mute = await listening(createTcpServer());
    for (const at of [dripping, silent, mute])
      expect(await faultOf(fetch(local(at), { ...limits, timeout_ms: 200 }))).toBe('timeout');
    const unnamed = createFetchOutbound({
      allowPrivate: true,
      resolve: () => Promise.withResolvers<string[]>().promise,
    });
    expect(await faultOf(unnamed('http://slow.example/', { ...limits, timeout_ms: 200 }))).toBe('timeout');
  });

  test('that is no HTTP, ends in the middle or wants another protocol is no answer', async () => {
    const saying = (text: string) =>
      listening(createTcpServer((socket) => void socket.on('error', () => undefined).end(text)));
    for (const text of [
      'SSH-2.0-OpenSSH_9.9\r\n',
      '',
      'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`,
    ])
      expect([text.slice(0, 20), await faultOf(fetch(local(await saying(text)), limits))]).toEqual([
        text.slice(0, 20),
        'unreachable',
      ]);
  });

  test('says in words that can be shown what was wrong, and nothing of our network', async () => {
    const error = await fetch('http://127.0.0.1:1/', limits).catch(
      (error: unknown) => error as OutboundError,
    );
    expect((error as OutboundError).message).toBe('does not answer');
  });
});
