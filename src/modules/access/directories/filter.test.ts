import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import { measureProcessorTime } from '#test/processor-time.ts';
import { readFilter } from './filter.ts';

test.each([
  [undefined, {}],
  ['userName eq "a@b.example"', { user_name: 'a@b.example' }],
  ['USERNAME EQ "a"', { user_name: 'a' }],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"', { user_name: 'a' }],
  ['externalId eq "a \\"b\\" and active eq true"', { external_id: 'a "b" and active eq true' }],
  ['active eq true', { active: true }],
  [
    'active eq False AND userName eq "a" and externalId eq "c"',
    { active: false, user_name: 'a', external_id: 'c' },
  ],
  ['id eq "1" and id eq "1"', { id: '1' }],
])('%s is understood', (text, filter) => {
  expect(readFilter(text)).toEqual(filter);
});

test.each([
  '',
  'userName',
  'userName eq',
  'userName eq a',
  "userName eq 'a'",
  'userName eq "a',
  'userName co "a"',
  'userName sw "a"',
  'userName pr',
  'userName eq "a" or active eq true',
  'not (userName eq "a")',
  '(userName eq "a")',
  'emails[type eq "work"].value eq "a"',
  'userName eq "a" and',
  'userName eq "a"and active eq true',
  'userName eq "a" and userName eq "b"',
  'meta.lastModified gt "2011-05-13T04:42:34Z"',
  'displayName eq "a"',
  'active eq "true"',
  'userName eq true',
  'userName eq "\\x"',
  'userName eq "\\u0000"',
  'externalId eq "a\\ud800"',
  `userName eq "${'a'.repeat(1_000)}"`,
  Array(9).fill('active eq true').join(' and '),
])('%s is refused as a filter that could be slow or is unknown', (text) => {
  expect(() => readFilter(text)).toThrow(expect.objectContaining({ code: 'directory_filter_refused' }));
});

test('any text is understood or refused, and quickly', async () => {
  const words = fc.constantFrom('userName', 'eq', ' ', 'and', '"', '\\', 'true', '(', 'active', '"a"');
  await fc.assert(
    fc.asyncProperty(fc.array(words, { maxLength: 200 }), async (parts) => {
      const processor_ms = await measureProcessorTime(() => {
        try {
          readFilter(parts.join(''));
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
      });
      expect(processor_ms).toBeLessThan(50);
    }),
  );
});
