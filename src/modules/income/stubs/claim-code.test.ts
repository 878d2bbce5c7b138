import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claimCodePattern, generateClaimCode, readClaimCode } from './claim-code.ts';

test('a code is TES- and ten characters of Crockford base32, and no two are the same', () => {
  const codes = Array.from({ length: 1_000 }, generateClaimCode);
  for (const code of codes) expect(code).toMatch(new RegExp(claimCodePattern));
  expect(new Set(codes).size).toBe(1_000);
});

test('a code is read in any case, with or without hyphens and spaces, and with O, I and L for digits', () => {
  fc.assert(
    fc.property(fc.constantFrom('', '-', ' ', ' - '), fc.boolean(), (separator, isLower) => {
      const code = generateClaimCode();
      const typed = code.replace('-', '').split('').join(separator);
      expect(readClaimCode(isLower ? typed.toLowerCase() : typed)).toBe(code);
      expect(readClaimCode(code.slice(4))).toBe(code);
      const misread = `TES-${code
        .slice(4)
        .replaceAll('0', 'O')
        .replaceAll('1', isLower ? 'l' : 'I')}`;
      expect(readClaimCode(misread)).toBe(code);
    }),
  );
});

test('other text is no code', () => {
  for (const text of ['', 'TES-', 'TES-123', 'TES-123456789U', 'TES-12345678901', 'JOB-1234567890'])
    expect(readClaimCode(text)).toBeUndefined();
});
