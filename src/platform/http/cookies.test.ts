import fc from 'fast-check';
import { expect, test } from 'vitest';
import { measureProcessorTime } from '#test/processor-time.ts';
import { parseCookies, serialiseCookie } from './cookies.ts';

test('reads cookies by name, and the first one of a repeated name', () => {
  expect({ ...parseCookies('a=1; b=2=3;c= 4 ; a=5') }).toEqual({ a: '1', b: '2=3', c: '4' });
  expect({ ...parseCookies(undefined) }).toEqual({});
  expect({ ...parseCookies('nonsense; =x; ;') }).toEqual({});
});

test('a cookie cannot replace properties that every object has', () => {
  const cookies = parseCookies('__proto__=x; constructor=y');
  expect(Object.keys(cookies)).toEqual(['__proto__', 'constructor']);
  expect(cookies['__proto__']).toBe('x');
  expect(cookies['constructor']).toBe('y');
  for (const inherited of Object.getOwnPropertyNames(Object.prototype))
    expect(parseCookies('a=1')[inherited]).toBeUndefined();
});

test('reading any header neither fails nor takes long', async () => {
  fc.assert(fc.property(fc.string(), (header) => void parseCookies(header)));
  const many = 'a=b;'.repeat(100_000);
  const processor_ms = await measureProcessorTime(() =>
    expect(Object.keys(parseCookies(many))).toEqual(['a']),
  );
  // In proportion to the square of its length, it would take minutes.
  expect(processor_ms).toBeLessThan(1_000);
});

test('does not decode values', () => {
  expect(parseCookies('a=%41%zz; b="c"')).toMatchObject({ a: '%41%zz', b: '"c"' });
});

test('a value cannot add an attribute or a header', () => {
  const header = serialiseCookie({
    name: 'a',
    value: 'x; Domain=evil.example\r\nb: c',
    max_age_s: 1,
    path: '/',
  });
  expect(header.split(';')).toHaveLength(6);
  expect(header).not.toMatch(/[\r\n]|Domain=/);
});

test('a cookie that is set is read back unchanged, and scripts cannot read it', () => {
  const value = 'AbC-_123';
  const header = serialiseCookie({ name: 'refresh_token', value, max_age_s: 60, path: '/api/v1/auth' });
  expect(header).toBe(
    `refresh_token=${value}; Max-Age=60; Path=/api/v1/auth; HttpOnly; Secure; SameSite=Lax`,
  );
  expect(parseCookies(header)['refresh_token']).toBe(value);
});
