import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeIdRange, formatExternalId, isExternalId } from './external-id.ts';

test('an external id consists of its prefix and eight characters of Crockford base32', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.constantFrom('MBR' as const, 'JOB' as const), (id, prefix) => {
      expect(isExternalId(prefix, formatExternalId(prefix, id))).toBe(true);
    }),
  );
});

test('ids that differ in their first 40 bits have different external ids, so no bit is lost', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, other) => {
      expect(formatExternalId('MBR', one) === formatExternalId('MBR', other)).toBe(
        one.replace('-', '').slice(0, 10) === other.replace('-', '').slice(0, 10),
      );
    }),
  );
});

test('known ids have known external ids', () => {
  expect(formatExternalId('MBR', '00000000-00ab-4000-8000-000000000000')).toBe('MBR-00000000');
  expect(formatExternalId('JOB', 'ffffffff-ff00-8000-8000-000000000000')).toBe('JOB-ZZZZZZZZ');
  // 00000 00001 00010 00011 00100 00101 00110 00111
  expect(formatExternalId('MBR', '00443214-c7ff-4000-8000-000000000000')).toBe('MBR-01234567');
});

test('the range of an external id has every id that shows it, and no other', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (id, other) => {
      const external_id = formatExternalId('MBR', id);
      expect(isExternalId('MBR', external_id)).toBe(true);
      const [first, last] = computeIdRange(external_id);
      expect(first <= id && id <= last).toBe(true);
      expect(first <= other && other <= last).toBe(formatExternalId('MBR', other) === external_id);
    }),
  );
});
