import { Type } from 'typebox';
import { beforeAll, expect, test } from 'vitest';
import { createEchoRow, openTestServer } from '#test/test-server.ts';
import { openRawClient } from '#test/faults/raw-client.ts';
import { findRepeatedHeader } from './refuse-repeated-headers.ts';

let port: number;
beforeAll(async () => {
  const server = await openTestServer([createEchoRow({ text: Type.Optional(Type.String()) })]);
  ({ port } = await server.listen());
});

/** Sends a request with these header lines. @returns the whole reply. */
async function post(...lines: readonly string[]): Promise<string> {
  const client = await openRawClient(port);
  const head = ['POST /api/v1/echo HTTP/1.1', 'connection: close', 'content-length: 2', ...lines];
  client.socket.write(`${head.join('\r\n')}\r\n\r\n{}`);
  await client.closed;
  return client.readText();
}

const json = 'content-type: application/json';

test.each([
  ['host', ['host: a', 'Host: b', json]],
  ['host', ['host: a', json, 'HOST: a']],
  ['authorization', ['host: a', json, 'authorization: Bearer ada', 'Authorization: Bearer bob']],
  ['content-type', ['host: a', json, 'Content-Type: text/plain']],
])('a request with two %s headers is refused: %j', async (name, lines) => {
  const reply = await post(...lines);
  expect(reply).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"header_repeated"/);
  expect(reply).toContain(`The header ${name} may occur only once`);
});

test('a request with one of each, and with repeated headers that are lists, is served', async () => {
  const lists = ['accept: text/plain', 'accept: application/json', 'x-forwarded-for: 192.0.2.1', 'etag: "a"'];
  const reply = await post(
    'host: a',
    json,
    'authorization: Bearer ada',
    ...lists,
    'x-forwarded-for: 192.0.2.2',
  );
  expect(reply).toMatch(/^HTTP\/1\.1 200 /);
});

test('other names of the same length do not count as repeated, and neither do values', () => {
  expect(findRepeatedHeader(['host', 'a', 'etag', 'b', 'ETag', 'c'])).toBeUndefined();
  expect(findRepeatedHeader(['host', 'host', 'x-a', 'host'])).toBeUndefined();
  expect(findRepeatedHeader(['host', 'a', 'x', 'b', 'hOsT', 'a'])).toBe('host');
});
