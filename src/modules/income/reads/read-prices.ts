import { Type } from 'typebox';
import { microsToNumber, splitByBasisPoints, whole_bps } from '#lib/money.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import {
  basePrices,
  computePrice,
  dataTypes,
  multiplier_max_bps,
  multiplier_min_bps,
  price_max_micros,
  price_min_micros,
  readBasePrice,
  readLimits,
  share_bps,
  type Tier,
} from './rules.ts';

const buildAmount = (description: string, example: number) =>
  field(Type.Number({ minimum: 0 }), description, example);
const count = Type.Integer({ minimum: 0 });

export const readPrices = operation({
  name: 'reads.readPrices',
  title: 'Read the prices',
  summary:
    'Returns what reads of identity data cost, what of it is the member’s, how many are free, and when members are paid, as this installation is configured. Nothing else has a price in this service.',
  who: 'anyone',
  input: Type.Object({}),
  output: {
    200: closedObject({
      reads: field(
        Type.Array(
          closedObject({
            data_type: field(Type.Enum(dataTypes), 'What is read.', 'trait_profile'),
            base_price: buildAmount('Its base price in US dollars.', 0.25),
            member_share: buildAmount('What of the base price the member earns.', 0.1875),
            price_from: buildAmount('Its lowest price.', 0.125),
            price_to: buildAmount('Its highest price.', 0.5),
          }),
        ),
        'The base price of each kind of read. The price is the base price times the multiplier of the member, within the limits.',
      ),
      multiplier_min: buildAmount('The lowest multiplier: of a member about whom little can be read.', 0.5),
      multiplier_max: buildAmount('The highest multiplier: of a member who is completely measured.', 2),
      price_min: buildAmount('The lowest price of a read in US dollars.', 0.01),
      price_max: buildAmount('The highest price of a read in US dollars.', 1),
      member_share_percent: buildAmount('The member’s share of each price in percent.', 75),
      organisations: field(
        Type.Array(
          closedObject({
            tier: field(
              Type.Enum(Object.keys(readLimits) as Tier[]),
              'A tier of organisations.',
              'E1 Explorer',
            ),
            free_reads: field(count, 'How many reads are free, once.', 5),
            daily_reads: field(count, 'How many reads are possible a day.', 100),
          }),
        ),
        'What the tiers of organisations differ in.',
      ),
      payout_minimum: buildAmount('The smallest payout to a member in US dollars.', 5),
      payout_hold_seconds: field(
        count,
        'How long after a read its income can be paid out, in seconds.',
        604_800,
      ),
      takes_money: field(
        Type.Boolean(),
        'Whether this installation takes real money. Without a payment rail, or with the mock one alone, it does not.',
        true,
      ),
    }),
  },
  run: ({ config }) =>
    Promise.resolve({
      reads: dataTypes.map((data_type) => ({
        data_type,
        base_price: readBasePrice(data_type),
        member_share: microsToNumber(splitByBasisPoints(basePrices[data_type], share_bps).part),
        price_from: microsToNumber(computePrice(data_type, Number(multiplier_min_bps))),
        price_to: microsToNumber(computePrice(data_type, Number(multiplier_max_bps))),
      })),
      multiplier_min: Number(multiplier_min_bps) / whole_bps,
      multiplier_max: Number(multiplier_max_bps) / whole_bps,
      price_min: microsToNumber(price_min_micros),
      price_max: microsToNumber(price_max_micros),
      member_share_percent: (100 * share_bps) / whole_bps,
      organisations: (Object.keys(readLimits) as Tier[]).map((tier) => ({ tier, ...readLimits[tier] })),
      payout_minimum: config.payout_minimum_cents / 100,
      payout_hold_seconds: config.payout_hold_seconds,
      takes_money: config.payments.rails.some((rail) => rail !== 'mock'),
    }),
});
