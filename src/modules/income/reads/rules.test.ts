import fc from 'fast-check';
import { expect, test } from 'vitest';
import { queryCategories } from '#modules/people/consent';
import { proves } from '#test/requirements.ts';
import {
  basePrices,
  checkReadable,
  chooseCompleteness,
  computePrice,
  createQuotaRefusal,
  dataTypes,
  deriveMultiplier,
  formatDay,
  price_max_micros,
  price_min_micros,
  readLimits,
} from './rules.ts';

const multipliers = fc.integer({ min: 5_000, max: 20_000 });

proves('payment-price-0-01-to-1-00-usd');
test('a price is the base price times the multiplier, rounded down, within 0.01 and 1.00 USD', () => {
  expect(dataTypes.map((data_type) => computePrice(data_type, 10_000))).toEqual([
    50_000n,
    250_000n,
    250_000n,
    600_000n,
  ]);
  expect(computePrice('alignment', 20_000)).toBe(1_000_000n);
  fc.assert(
    fc.property(
      fc.constantFrom(...dataTypes),
      fc.integer({ min: 0, max: 10_000_000 }),
      (data_type, multiplier) => {
        const price = computePrice(data_type, multiplier);
        expect(price).toBeGreaterThanOrEqual(price_min_micros);
        expect(price).toBeLessThanOrEqual(price_max_micros);
        const exact = (basePrices[data_type] * BigInt(multiplier)) / 10_000n;
        const isLimited = exact < price_min_micros || exact > price_max_micros;
        expect(isLimited || price === exact).toBe(true);
      },
    ),
  );
});

test('what was paid tells the multiplier, unless the price was limited', () => {
  fc.assert(
    fc.property(fc.constantFrom(...dataTypes), multipliers, (data_type, multiplier) => {
      const price = computePrice(data_type, multiplier);
      const derived = deriveMultiplier(data_type, price);
      expect(derived).toBeGreaterThanOrEqual(5_000);
      expect(derived).toBeLessThanOrEqual(20_000);
      expect(price === price_max_micros || derived === multiplier).toBe(true);
    }),
  );
});

proves('payment-free-allowance-sized-to-tier', 'open-undefined-free-allowance-size-per-tier');
test('every tier of organisations has a quota and an allowance, and every category of consent a price', () => {
  expect(Object.keys(readLimits)).toEqual(['E1 Explorer', 'E2 Builder', 'E3 Operator', 'partner']);
  expect(Object.values(readLimits)).toEqual([
    { daily_reads: 100, free_reads: 5 },
    { daily_reads: 500, free_reads: 10 },
    { daily_reads: 2_000, free_reads: 25 },
    { daily_reads: 10_000, free_reads: 50 },
  ]);
  expect(dataTypes).toEqual(queryCategories);
});

const readable = {
  account_active: true,
  consent_level: 'full',
  category_approved: true,
  engagement_level: 3,
} as const;

test.each([
  [{ account_active: false }, 'consent_required'],
  [{ consent_level: undefined }, 'consent_required'],
  [{ category_approved: false }, 'category_not_approved'],
  [{ engagement_level: 2 }, 'engagement_level_too_low'],
  // The first check that fails decides.
  [{ account_active: false, category_approved: false, engagement_level: 1 }, 'consent_required'],
  [{ category_approved: false, engagement_level: 1 }, 'category_not_approved'],
])('a member with %o cannot be read: %s', (facts, code) => {
  expect(() => checkReadable({ ...readable, ...facts }, 'archetype')).toThrow(
    expect.objectContaining({ code }),
  );
});

test('a member who approves a category and is measured can be read', () => {
  expect(() => checkReadable(readable, 'archetype')).not.toThrow();
});

test('a quota begins at midnight UTC, and the refusal says how long that takes', () => {
  const now = new Date('2026-03-02T23:59:30.500Z');
  expect(formatDay(now)).toBe('2026-03-02');
  expect(createQuotaRefusal('E1 Explorer', now).extras.headers).toEqual({ 'retry-after': '30' });
});

test.each([
  ['comprehensive', false, 0],
  ['substantial', true, 15],
  ['partial', true, 14],
  ['partial', true, 6],
  ['minimal', true, 5],
] as const)('what is known is %s (preliminary: %s, known traits: %d)', (expected, preliminary, known) => {
  const variance = Array.from({ length: 18 }, (_, index) => (index < known ? 0.5 : 0.51));
  expect(chooseCompleteness({ preliminary, variance })).toBe(expected);
});
