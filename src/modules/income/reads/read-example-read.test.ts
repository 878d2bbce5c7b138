import { expect, test } from 'vitest';
import { microsFromNumber } from '#lib/money.ts';
import { startApp } from '#test/harness.ts';
import { computePrice, share_bps } from './rules.ts';

const app = await startApp();

test('the read of the fictional person has labels and no number about her, and 75 % of a price that the rules permit', async () => {
  const { status, body } = await app.request('GET', '/example/read');
  expect([status, body.data_type, body.share_percent]).toEqual([200, 'trait_profile', 75]);
  const { data, price, member_share, service_share } = body;
  expect(Object.values(data.trait_tiers)).not.toContain('not_included');
  expect(JSON.stringify([data.archetype, data.trait_tiers, data.data_completeness])).not.toMatch(/\d/);
  const [paid, hers, rest] = [price, member_share, service_share].map(microsFromNumber);
  expect(hers! + rest!).toBe(paid);
  expect(hers).toBe((paid! * BigInt(share_bps)) / 10_000n);
  expect(paid).toBeGreaterThanOrEqual(computePrice('trait_profile', 5_000));
  expect(paid).toBeLessThanOrEqual(computePrice('trait_profile', 20_000));
});

test('it is the same whenever it is read, and takes no input', async () => {
  const read = () => app.request('GET', '/example/read');
  expect((await read()).body).toEqual((await read()).body);
  expect((await app.request('GET', '/example/read?data_type=archetype')).status).toBe(422);
});
