import fc from 'fast-check';
import { expect, test } from 'vitest';
import { external_id_bytes, formatExternalId } from './external-id.ts';

const bytes = fc.uint8Array({ minLength: external_id_bytes, maxLength: external_id_bytes });

test('an external id consists of its prefix and eight characters of Crockford base32', () => {
  fc.assert(
    fc.property(bytes, fc.constantFrom('MBR' as const, 'JOB' as const), (random, prefix) => {
      expect(formatExternalId(prefix, random)).toMatch(new RegExp(`^${prefix}-[0-9A-HJKMNP-TV-Z]{8}$`));
    }),
  );
});

test('different bytes give different ids, so no bit of randomness is lost', () => {
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      expect(formatExternalId('MBR', one) === formatExternalId('MBR', other)).toBe(
        Buffer.from(one).equals(Buffer.from(other)),
      );
    }),
  );
});

test('known bytes give known ids', () => {
  expect(formatExternalId('MBR', Uint8Array.of(0, 0, 0, 0, 0))).toBe('MBR-00000000');
  expect(formatExternalId('JOB', Uint8Array.of(255, 255, 255, 255, 255))).toBe('JOB-ZZZZZZZZ');
  // 00000 00001 00010 00011 00100 00101 00110 00111
  expect(formatExternalId('MBR', Uint8Array.of(0x00, 0x44, 0x32, 0x14, 0xc7))).toBe('MBR-01234567');
});

test('rejects too few and too many bytes as a defect', () => {
  expect(() => formatExternalId('MBR', new Uint8Array(4))).toThrow('5 bytes');
  expect(() => formatExternalId('MBR', new Uint8Array(6))).toThrow('5 bytes');
});
