import { Secret } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { createProvisioning, findTotpStep } from './totp.ts';

/** RFC 6238 appendix B, SHA-1. Its codes have eight digits, of which ours are the last six. */
const secret = Secret.fromLatin1('12345678901234567890').base32;
const vectors: readonly (readonly [seconds: number, code: string])[] = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
];

describe('a code', () => {
  it.each(vectors)('at %i s equals the test vector of RFC 6238', (seconds, code) => {
    expect(findTotpStep(secret, code.slice(2), new Date(seconds * 1000))).toBe(Math.floor(seconds / 30));
  });

  it('is mapped to its step, even if it is used one step early or late', () => {
    const [seconds, code] = vectors[3]!;
    const step = Math.floor(seconds / 30);
    const findStep = (steps: number) =>
      findTotpStep(secret, code.slice(2), new Date((step + steps) * 30_000));
    expect([-2, -1, 0, 1, 2].map(findStep)).toEqual([undefined, step, step, step, undefined]);
  });

  it('must have exactly six digits', () => {
    for (const code of ['', '5924', '005924 ', '0x5924', '89005924'])
      expect(findTotpStep(secret, code, new Date(1_234_567_890_000))).toBeUndefined();
  });
});

it('every secret is different', () => {
  const secrets = Array.from({ length: 100 }, () => createProvisioning('a@example.org').secret);
  expect(new Set(secrets).size).toBe(100);
});
