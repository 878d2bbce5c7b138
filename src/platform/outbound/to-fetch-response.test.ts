import { expect, test } from 'vitest';
import { toFetchResponse } from './to-fetch-response.ts';

test('status, headers and body are those of the response', async () => {
  const headers = { 'content-type': 'application/json', 'content-length': '99', 'set-cookie': ['a=b'] };
  const response = toFetchResponse({ status: 201, headers, body: Buffer.from('{"a":1}') });
  expect([response.status, [...response.headers], await response.json()]).toEqual([
    201,
    [['content-type', 'application/json']],
    { a: 1 },
  ]);
});

test.each([204, 205, 304])('status %i has no body', async (status) => {
  const response = toFetchResponse({ status, headers: {}, body: Buffer.alloc(0) });
  expect([response.status, response.body]).toEqual([status, null]);
});
