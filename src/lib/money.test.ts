import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMoney, micros_max, microsFromNumber, microsToNumber, splitByBasisPoints } from './money.ts';

const amounts = fc.bigInt({ min: -micros_max, max: micros_max });
const payments = fc.bigInt({ min: 0n, max: micros_max });
const shares = fc.integer({ min: 0, max: 10_000 });

describe('an amount', () => {
  test('is the same after it was a JSON number', () => {
    fc.assert(
      fc.property(amounts, (micros) => {
        expect(microsFromNumber(JSON.parse(JSON.stringify(microsToNumber(micros))))).toBe(micros);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is written for people with its currency and its thousands, exactly', () => {
    expect([33_333n, 50_000n, 0n].map((each) => formatMoney(each, 'USD'))).toEqual([
      'US$0.033333',
      'US$0.05',
      'US$0.00',
    ]);
    expect(formatMoney(1_234_567_890_123_456_789n, 'AUD')).toBe('A$1,234,567,890,123.456789');
  });

  test('is written with at most six decimals', () => {
    fc.assert(
      fc.property(amounts, (micros) => {
        const number = microsToNumber(micros);
        expect(Number(number.toFixed(6))).toBe(number);
      }),
    );
  });

  test.each([
    [0.05, 50_000n],
    [0.000001, 1n],
    [-0.3, -300_000n],
    [1.1, 1_100_000n],
    [0, 0n],
  ])('of %s has %s micro-units', (number, micros) => {
    expect(microsFromNumber(number)).toBe(micros);
  });

  test.each([0.0000001, 0.1234567, 0.1 + 0.2, Number.NaN, Number.POSITIVE_INFINITY, 1e16])(
    'that would have to be rounded, like %s, is refused',
    (number) => {
      expect(() => microsFromNumber(number)).toThrow(RangeError);
    },
  );

  test('that a JSON number cannot carry is refused', () => {
    for (const micros of [micros_max + 1n, -micros_max - 1n])
      expect(() => microsToNumber(micros)).toThrow(RangeError);
  });
});

describe('a split', () => {
  test('neither loses nor creates a micro-unit, and rounds the part down by less than one', () => {
    fc.assert(
      fc.property(payments, shares, (gross, bps) => {
        const { part, rest } = splitByBasisPoints(gross, bps);
        expect(part + rest).toBe(gross);
        expect(part >= 0n && rest >= 0n).toBe(true);
        const rounded = gross * BigInt(bps) - part * 10_000n;
        expect(rounded >= 0n && rounded < 10_000n).toBe(true);
      }),
    );
  });

  test('grows with the amount and with the share', () => {
    fc.assert(
      fc.property(payments, payments, shares, shares, (one, other, bps, otherBps) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        const [low, high] = bps < otherBps ? [bps, otherBps] : [otherBps, bps];
        expect(splitByBasisPoints(less, bps).part <= splitByBasisPoints(more, bps).part).toBe(true);
        expect(splitByBasisPoints(one, low).part <= splitByBasisPoints(one, high).part).toBe(true);
      }),
    );
  });

  test('of 0.033333 at 75 % is 0.024999 and 0.008334', () => {
    expect(splitByBasisPoints(33_333n, 7_500)).toEqual({ part: 24_999n, rest: 8_334n });
  });

  test('of a negative amount, or by a share that is none, is refused', () => {
    expect(() => splitByBasisPoints(-1n, 7_500)).toThrow(RangeError);
    for (const bps of [-1, 10_001, 0.5, Number.NaN])
      expect(() => splitByBasisPoints(1n, bps)).toThrow(RangeError);
  });
});
