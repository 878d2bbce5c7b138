import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { apiRows } from '#test/wire-schemas.ts';
import { readLimits } from './rules.ts';

const app = await startApp();

test('the prices are those of the rules, within their limits, and three quarters are the member’s', async () => {
  const { status, body } = await app.request('GET', '/prices');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    multiplier_min: 0.5,
    multiplier_max: 2,
    price_min: 0.01,
    price_max: 1,
    member_share_percent: 75,
    payout_minimum: app.platform.config.payout_minimum_cents / 100,
    payout_hold_seconds: app.platform.config.payout_hold_seconds,
    takes_money: false,
  });
  expect(body.reads).toEqual([
    { data_type: 'archetype', base_price: 0.05, member_share: 0.0375, price_from: 0.025, price_to: 0.1 },
    { data_type: 'trait_profile', base_price: 0.25, member_share: 0.1875, price_from: 0.125, price_to: 0.5 },
    { data_type: 'values_profile', base_price: 0.25, member_share: 0.1875, price_from: 0.125, price_to: 0.5 },
    { data_type: 'alignment', base_price: 0.6, member_share: 0.45, price_from: 0.3, price_to: 1 },
  ]);
  expect(body.organisations.map(({ tier }: { tier: string }) => tier)).toEqual(Object.keys(readLimits));
});

test('they follow the settings of the installation', async () => {
  const own = await startApp({
    TESSERA_PAYMENT_RAIL: 'none',
    TESSERA_PAYOUT_MINIMUM_CENTS: '1250',
    TESSERA_PAYOUT_HOLD_SECONDS: '0',
  });
  const { body } = await own.request('GET', '/prices');
  expect([body.payout_minimum, body.payout_hold_seconds, body.takes_money]).toEqual([12.5, 0, false]);
});

test('nothing but reads takes a payment, as the page of prices says', () => {
  const paying = apiRows.filter(({ operation }) =>
    (operation.refuses as readonly string[] | undefined)?.includes('payment_required'),
  );
  expect(paying.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    // A read at a price that its member has asked.
    'POST /marketplace/transactions',
    'POST /orgs/queries/credential',
  ]);
});

test('they take no input', async () => {
  expect((await app.request('GET', '/prices?currency=EUR')).status).toBe(422);
});
