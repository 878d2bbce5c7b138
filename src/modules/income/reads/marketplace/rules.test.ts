import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convertToAud, convertToUsd } from '../rules.ts';
import { readOffer } from './rules.ts';

const amounts = fc.bigInt({ min: 1n, max: 1_000_000_000n });
const rates = fc.bigInt({ min: 500_000n, max: 3_000_000n });

test('a conversion to US dollars and back loses less than the rate in micro-units, and never gains', () => {
  fc.assert(
    fc.property(amounts, rates, (aud, rate) => {
      const back = convertToAud(convertToUsd(aud, rate), rate);
      expect(back).toBeLessThanOrEqual(aud);
      expect(aud - back).toBeLessThanOrEqual(rate / 1_000_000n + 1n);
    }),
  );
});

test('an offer has at most six decimals', () => {
  expect(readOffer(0.375)).toBe(375_000n);
  expect(() => readOffer(0.1234567)).toThrow(expect.objectContaining({ code: 'field_invalid' }));
});
