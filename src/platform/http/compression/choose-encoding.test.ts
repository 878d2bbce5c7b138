import { expect, test } from 'vitest';
import { chooseEncoding } from './choose-encoding.ts';

const json = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

test.each([
  ['br, gzip', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['*', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['br;q=0', undefined],
  ['gzip;q=0, br;q=0.000', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['*;q=0', undefined],
  ['zstd', undefined],
  ['', undefined],
  [undefined, undefined],
])('a client gets the encoding that it likes best: %s', (header, encoding) => {
  expect(chooseEncoding({ 'accept-encoding': header }, json)).toBe(encoding);
});

test.each([
  ['text/html; charset=utf-8', 'br'],
  ['text/csv', 'br'],
  ['application/problem+json', 'br'],
  ['application/samlmetadata+xml', 'br'],
  ['image/svg+xml', 'br'],
  ['text/event-stream', undefined],
  ['application/pdf', undefined],
  ['font/woff2', undefined],
  ['application/vc+jwt', undefined],
])('text is compressed, and what is compressed already is not: %s', (media_type, encoding) => {
  expect(chooseEncoding({ 'accept-encoding': 'br' }, { 'content-type': media_type })).toBe(encoding);
});

test('a reply that depends on a cookie is compressed only if no other site caused the request', () => {
  const choose = (site: string | undefined, cache = 'no-store') =>
    chooseEncoding(
      { 'accept-encoding': 'br', cookie: 'session=1', ...(site && { 'sec-fetch-site': site }) },
      { ...json, 'cache-control': cache },
    );
  expect(['same-origin', 'none'].map((site) => choose(site))).toEqual(['br', 'br']);
  for (const site of ['cross-site', 'same-site', 'something', undefined])
    expect(choose(site)).toBeUndefined();
  expect(choose('cross-site', 'public, max-age=300')).toBe('br');
});
