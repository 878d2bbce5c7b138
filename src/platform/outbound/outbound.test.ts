import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCertificate } from '@tessera/saml/testing';
import { checkOutboundUrl, createFetchOutbound, OutboundError } from './outbound.ts';

const limits = { timeout_ms: 3_000, max_bytes: 1_000 };
const closing: (Server | TcpServer)[] = [];
afterAll(() => {
  for (const server of closing) {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  }
});

async function listen(server: Server | TcpServer, host = '127.0.0.1', at = 0): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(at, host, resolve));
  closing.push(server);
  return (server.address() as AddressInfo).port;
}

const serve = (listener: RequestListener, host?: string, at?: number) =>
  listen(createServer(listener), host, at);

async function catchFault(fetching: Promise<unknown>): Promise<unknown> {
  return fetching.then(
    () => 'no fault',
    (error: unknown) => (error instanceof OutboundError ? error.fault : error),
  );
}

/** The requests of a server that returns the headers that it receives. */
let seen: string[] = [];
let port: number;
beforeAll(async () => {
  port = await serve((request, response) => {
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
  ])('of this kind is refused before its name is resolved: %j', async (url) => {
    let looked_up = 0;
    const counting = createFetchOutbound({ allowPrivate: false, resolve: async () => [String(looked_up++)] });
    expect(await catchFault(counting(url, limits))).toBe('url_forbidden');
    expect(looked_up).toBe(0);
  });

  test.each(['https://example.org', 'https://example.org:443/a', 'https://example.org:8443/a?b=c#d'])(
    'of this kind is resolved: %s',
    async (url) => {
      expect(await catchFault(strict(url, limits))).toBe('address_forbidden');
    },
  );
});

describe('no request reaches a private address', () => {
  const createGuardedFetch = (...addresses: readonly string[]) =>
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
  ])('given as the host %s', async (host) => {
    expect(await catchFault(createGuardedFetch('8.8.8.8')(`https://${host}:8443/`, limits))).toBe(
      'address_forbidden',
    );
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
  ])('given by a name that resolves to %s', async (address) => {
    expect(await catchFault(createGuardedFetch(address)('https://inside.example/', limits))).toBe(
      'address_forbidden',
    );
  });

  test('given by a name with one public and one private address', async () => {
    for (const addresses of [
      ['8.8.8.8', '127.0.0.1'],
      ['::1', '8.8.8.8'],
    ])
      expect(await catchFault(createGuardedFetch(...addresses)('https://both.example/', limits))).toBe(
        'address_forbidden',
      );
  });

  test('of the service itself, with the default resolver', async () => {
    const fetch = createFetchOutbound({ allowPrivate: false });
    expect(['address_forbidden', 'unresolvable']).toContain(
      await catchFault(fetch('https://localhost:8443/', limits)),
    );
  });
});

/** In these tests 127.0.0.1 is a public address, and 127.0.0.2 a private one. */
const isAllowed = (address: string) => address === '127.0.0.1';

describe('a name', () => {
  test('is resolved once, and the connection uses the checked address with the original host name', async () => {
    let looked_up = 0;
    const reached: string[] = [];
    const outside = createServer((request, response) => {
      reached.push(`outside as ${request.headers.host}`);
      response.end();
    });
    const at = await listen(outside);
    await serve((_, response) => (reached.push('inside'), response.end()), '127.0.0.2', at);
    const resolveDifferently = async () => [looked_up++ === 0 ? '127.0.0.1' : '127.0.0.2'];
    const fetch = createFetchOutbound({ allowPrivate: true, resolve: resolveDifferently, isAllowed });
    expect((await fetch(`http://rebinding.example:${at}/`, limits)).status).toBe(200);
    expect(looked_up).toBe(1);
    expect(reached).toEqual([`outside as rebinding.example:${at}`]);
    expect(await catchFault(fetch(`http://rebinding.example:${at}/`, limits))).toBe('address_forbidden');
    expect(reached).toHaveLength(1);
  });

  test('must match the certificate of the server', async () => {
    const trusted = createCertificate({ name: 'idp.example', hosts: ['idp.example'] });
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), trusted.certificate]);
    const names: (string | undefined | false)[] = [];
    const server = createTlsServer(
      { key: trusted.privateKey, cert: trusted.certificate },
      (request, response) => {
        names.push((request.socket as tls.TLSSocket).servername as string | undefined, request.headers.host);
        response.end('verified');
      },
    );
    const at = await listen(server);
    const fetch = createFetchOutbound({ allowPrivate: false, resolve: async () => ['127.0.0.1'], isAllowed });
    expect((await fetch(`https://idp.example:${at}/`, limits)).body.toString()).toBe('verified');
    expect(names).toEqual(['idp.example', `idp.example:${at}`]);
    expect(await catchFault(fetch(`https://other.example:${at}/`, limits))).toBe('unreachable');
    expect(names).toHaveLength(2);
  });

  test('that cannot be resolved and a server that is unreachable have different faults', async () => {
    const fetchUnknown = createFetchOutbound({ allowPrivate: true, resolve: async () => [] });
    expect(await catchFault(fetchUnknown('http://nobody.example/', limits))).toBe('unresolvable');
    const fetchFailing = createFetchOutbound({
      allowPrivate: true,
      resolve: () => Promise.reject(new Error('SERVFAIL')),
    });
    expect(await catchFault(fetchFailing('http://failing.example/', limits))).toBe('unresolvable');
    const fetch = createFetchOutbound({ allowPrivate: true });
    expect(await catchFault(fetch('http://127.0.0.1:1/', limits))).toBe('unreachable');
  });
});

describe('a redirect', () => {
  const fetch = createFetchOutbound({
    allowPrivate: true,
    resolve: async (host) => [host === 'inside.example' ? '127.0.0.2' : '127.0.0.1'],
    isAllowed,
  });
  const serveRedirect = (location: string, status = 302) =>
    serve((_, response) => response.writeHead(status, { location }).end());
  const redirectLimits = { ...limits, redirects_max: 3 };

  test.each([301, 302, 303, 307, 308])('of status %i is followed if it is allowed', async (status) => {
    const at = await serveRedirect(`http://public.example:${port}/there`, status);
    expect((await fetch(`http://public.example:${at}/`, redirectLimits)).body.toString()).toBe('hello');
    expect(await catchFault(fetch(`http://public.example:${at}/`, limits))).toBe('too_many_redirects');
  });

  test.each(['http://127.0.0.2:1/', 'http://inside.example/', 'http://2130706434/', '//inside.example/'])(
    'to a private address is refused: %s',
    async (location) => {
      const at = await serveRedirect(location);
      expect(await catchFault(fetch(`http://public.example:${at}/`, redirectLimits))).toBe(
        'address_forbidden',
      );
    },
  );

  test.each(['file:///etc/passwd', 'http://user@public.example/', 'http://['])(
    'to a forbidden URL is refused: %s',
    async (location) => {
      const at = await serveRedirect(location);
      expect(await catchFault(fetch(`http://public.example:${at}/`, redirectLimits))).toBe('url_forbidden');
    },
  );

  test('that repeats forever is stopped', async () => {
    let requests = 0;
    const at = await serve((_, response) => {
      requests++;
      response.writeHead(302, { location: '/again' }).end();
    });
    expect(await catchFault(fetch(`http://public.example:${at}/`, redirectLimits))).toBe(
      'too_many_redirects',
    );
    expect(requests).toBe(4);
  });

  test('to another server sends no headers, and a POST is not redirected', async () => {
    const headers = { authorization: 'secret' };
    const at = await serveRedirect(`http://elsewhere.example:${port}/`);
    const { headers: received } = await fetch(`http://public.example:${at}/`, { ...redirectLimits, headers });
    expect(JSON.parse(String(received['x-saw']))).not.toHaveProperty('authorization');
    const { status } = await fetch(`http://public.example:${at}/`, {
      ...redirectLimits,
      method: 'POST',
      body: 'x',
    });
    expect(status).toBe(302);
  });
});

describe('a response', () => {
  const fetch = createFetchOutbound({ allowPrivate: true });
  const formatUrl = (at: number) => `http://127.0.0.1:${at}/`;

  test('has the status, headers and bytes that the server sent, and the server received those of the request', async () => {
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

  test('that is too long is refused, or cut off if requested', async () => {
    const at = await serve((_, response) => response.end('x'.repeat(1_001)));
    expect(await catchFault(fetch(formatUrl(at), limits))).toBe('too_large');
    expect((await fetch(formatUrl(at), { ...limits, whenTooLong: 'cut' })).body.length).toBe(1_000);
    expect((await fetch(formatUrl(at), { ...limits, max_bytes: 1_001 })).body.length).toBe(1_001);
  });

  test('that never ends is read only up to the limit', async () => {
    let sent = 0;
    const at = await serve((_, response) => {
      const sendMore = () =>
        void (
          response.destroyed || response.write('x'.repeat(1_000), () => (sent++, setImmediate(sendMore)))
        );
      sendMore();
    });
    expect(await catchFault(fetch(formatUrl(at), { ...limits, max_bytes: 100_000 }))).toBe('too_large');
    expect(sent).toBeLessThan(100_000);
  });

  test('that is a decompression bomb is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(900_000));
    const at = await serve((_, response) => response.setHeader('content-encoding', 'gzip').end(bomb));
    expect((await fetch(formatUrl(at), limits)).body).toEqual(bomb);
  });

  test('that is very slow or never starts is given up in time', async () => {
    const slow = await serve((_, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const silent = await serve(() => undefined);
    const mute = await listen(createTcpServer());
    for (const at of [slow, silent, mute])
      expect(await catchFault(fetch(formatUrl(at), { ...limits, timeout_ms: 200 }))).toBe('timeout');
    const fetchUnresolved = createFetchOutbound({
      allowPrivate: true,
      resolve: () => Promise.withResolvers<string[]>().promise,
    });
    expect(await catchFault(fetchUnresolved('http://slow.example/', { ...limits, timeout_ms: 200 }))).toBe(
      'timeout',
    );
  });

  test('that begins and does not end has its status in the fault', async () => {
    const serveText = (text: string) =>
      listen(createTcpServer((socket) => void socket.on('error', () => undefined).end(text)));
    const readStatus = async (text: string) => {
      const thrown = await fetch(formatUrl(await serveText(text)), limits).catch((error: unknown) => error);
      return (thrown as OutboundError).status;
    };
    expect(await readStatus('HTTP/1.1 202 Accepted\r\ncontent-length: 100\r\n\r\nhalf')).toBe(202);
    expect(await readStatus('')).toBeUndefined();
  });

  test('that is not HTTP, is incomplete or switches protocols is refused', async () => {
    const serveText = (text: string) =>
      listen(createTcpServer((socket) => void socket.on('error', () => undefined).end(text)));
    for (const text of [
      'SSH-2.0-OpenSSH_9.9\r\n',
      '',
      'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`,
    ])
      expect([text.slice(0, 20), await catchFault(fetch(formatUrl(await serveText(text)), limits))]).toEqual([
        text.slice(0, 20),
        'unreachable',
      ]);
  });

  test('that fails has a message for users, which reveals nothing about the network', async () => {
    const error = await fetch('http://127.0.0.1:1/', limits).catch(
      (error: unknown) => error as OutboundError,
    );
    expect((error as OutboundError).message).toBe('does not respond');
  });
});

describe('in development, a URL with http', () => {
  test.each(['http://127.0.0.1:3000/', 'http://[::1]/', 'http://localhost:3000/', 'http://receiver:3000/'])(
    '%s may be stored, because it is private',
    (url) => expect(() => checkOutboundUrl(url, { allowPrivate: true })).not.toThrow(),
  );

  test.each([
    'http://8.8.8.8/',
    'http://[::ffff:8.8.8.8]/',
    'http://[64:ff9b::808:808]/',
    'http://hooks.harbour.com/',
    'http://localhost.harbour.com/',
  ])('%s may not, because what leaves the network is encrypted', (url) =>
    expect(() => checkOutboundUrl(url, { allowPrivate: true })).toThrow(
      expect.objectContaining({ fault: 'url_forbidden' }),
    ),
  );

  test('is not fetched if one of its addresses is public', async () => {
    const fetch = createFetchOutbound({ allowPrivate: true, resolve: async () => ['127.0.0.1', '8.8.8.8'] });
    expect(await catchFault(fetch('http://receiver/', limits))).toBe('url_forbidden');
  });
});
