import { expect, test } from 'vitest';
import { measureProcessorTime } from '#test/processor-time.ts';
import { selectMediaType } from './media-type.ts';

const offered = ['application/vc+jwt', 'application/vc', 'application/ld+json', 'application/json'] as const;

test.each<[accept: string | undefined, type: string]>([
  [undefined, 'application/vc+jwt'],
  ['', 'application/vc+jwt'],
  ['*/*', 'application/vc+jwt'],
  ['application/*', 'application/vc+jwt'],
  ['text/html', 'application/vc+jwt'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/vc+jwt'],
  ['application/json', 'application/json'],
  ['application/json; charset=utf-8', 'application/json'],
  ['Application/JSON', 'application/json'],
  ['application/vc', 'application/vc'],
  ['application/ld+json, application/json', 'application/ld+json'],
  ['application/json, application/ld+json', 'application/ld+json'],
  ['application/ld+json;q=0.9, application/json', 'application/json'],
  ['application/json, text/plain, */*', 'application/json'],
  ['application/json, */*;q=0.1', 'application/json'],
  ['application/json, application/vc+jwt;q=0.5', 'application/json'],
  ['application/vc+jwt;q=0, */*', 'application/vc'],
  ['application/json;q=x, application/vc;q=0.001', 'application/vc'],
  ['application/json;q=2, application/vc;q=0.001', 'application/vc'],
  [',;,;;=,/', 'application/vc+jwt'],
])('an Accept header of %j gets %s', (accept, type) => {
  expect(selectMediaType(accept, offered)).toBe(type);
});

test('a long header takes linear time', async () => {
  const header = 'a/b;q=0.1,'.repeat(100_000);
  expect(await measureProcessorTime(() => selectMediaType(header, offered))).toBeLessThan(1_000);
});
