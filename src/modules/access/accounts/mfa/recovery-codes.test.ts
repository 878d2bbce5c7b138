import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toCanonicalRecoveryCode, recovery_code_bytes, formatRecoveryCode } from './recovery-codes.ts';

const random = fc.uint8Array({ minLength: recovery_code_bytes, maxLength: recovery_code_bytes });

it('reads a recovery code regardless of case, separators and look-alike characters', () => {
  fc.assert(
    fc.property(random, (bytes) => {
      const code = formatRecoveryCode(bytes);
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
      const canonical = toCanonicalRecoveryCode(code);
      const mistyped = code.replaceAll('0', 'o').replaceAll('1', 'l').toLowerCase().replace('-', '  ');
      expect(toCanonicalRecoveryCode(mistyped)).toBe(canonical);
      expect(canonical).toHaveLength(10);
    }),
  );
});

it('different random bits give different codes', () => {
  fc.assert(
    fc.property(random, random, (one, other) => {
      const maskBits = (bytes: Uint8Array) => bytes.map((byte) => byte & 31).join();
      expect(formatRecoveryCode(one) === formatRecoveryCode(other)).toBe(maskBits(one) === maskBits(other));
    }),
  );
});
