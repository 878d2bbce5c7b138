import { Type, type Static } from 'typebox';
import { closedObject, field, nullable } from '#platform/schema.ts';
import { rails } from './rules.ts';

const sampleAddress = '0x8c1f4a7e2b3d9605c4e8f1a2b7d6093e5f8c1a24';
const sampleAsset = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';

/** The price of a read and how to pay it. The server settles only at these terms. */
const sample = {
  price: 0.05,
  currency: 'USD',
  data_type: 'trait_profile',
  parts: ['trait_tiers', 'archetype'],
  data_completeness: 'comprehensive',
  rails: ['x402'],
  pay_to: sampleAddress,
  network: 'eip155:8453',
  asset: sampleAsset,
  confirmations: 2,
  share_percent: 75,
  free_reads_left: 0,
  balance: 12.5,
} as const;

const pricingSchema = closedObject(
  {
    price: field(Type.Number(), 'The price of this read.', sample.price),
    currency: field(Type.Literal('USD'), 'The currency of the price.', sample.currency),
    data_type: field(Type.String(), 'What is read.', sample.data_type),
    parts: field(
      Type.Array(Type.String()),
      'The fields of `data` that the read will fill: `archetype`, `trait_tiers`, `values`, `alignment`.',
      sample.parts,
    ),
    data_completeness: field(
      Type.String(),
      'How much is known of the person: `comprehensive`, `substantial`, `partial` or `minimal`, as in the result.',
      sample.data_completeness,
    ),
    rails: field(
      Type.Array(Type.Enum(rails)),
      'The kinds of payment that this service accepts.',
      sample.rails,
    ),
    pay_to: field(nullable(Type.String()), 'The address that receives the payment.', sample.pay_to),
    network: field(nullable(Type.String()), 'The chain, as CAIP-2 writes it.', sample.network),
    asset: field(nullable(Type.String()), 'The contract of the token, which has six decimals.', sample.asset),
    confirmations: field(
      nullable(Type.Integer()),
      'How many confirmations a transfer needs before it is accepted.',
      sample.confirmations,
    ),
    share_percent: field(
      Type.Number(),
      'The share of the payment that accrues to the person whose data is read, in percent.',
      sample.share_percent,
    ),
    free_reads_left: field(
      Type.Integer(),
      'How many reads of the free allowance are left.',
      sample.free_reads_left,
    ),
    balance: field(
      nullable(Type.Number()),
      'What the prepaid balance of your organisation has left, in US dollars; null if it was never filled.',
      sample.balance,
    ),
  },
  { $id: 'Pricing' },
);

const termsV1Schema = closedObject({
  scheme: field(Type.String(), 'The scheme of the payment.', 'exact'),
  network: field(Type.String(), 'The name of the chain.', 'base'),
  maxAmountRequired: field(Type.String(), 'The price in the smallest unit of the token.', '50000'),
  resource: field(
    Type.String(),
    'The URL that the payment is for.',
    'https://tessera.example/api/v1/orgs/queries/credential',
  ),
  description: field(Type.String(), 'What the payment buys.', 'One read of a trait profile'),
  mimeType: field(Type.String(), 'The media type of the result.', 'application/json'),
  payTo: field(Type.String(), 'The address that receives the payment.', sampleAddress),
  maxTimeoutSeconds: field(Type.Integer(), 'How long a signed payment has to be valid.', 60),
  asset: field(Type.String(), 'The contract of the token.', sampleAsset),
  extra: field(
    closedObject({
      name: field(Type.String(), 'The name in the token’s EIP-712 domain.', 'USD Coin'),
      version: field(Type.String(), 'The version in the token’s EIP-712 domain.', '2'),
    }),
    'What a signature of the payment needs.',
  ),
});

/** What a reply with status 402 says about the price and how to pay it, besides the fields of every problem. */
export const paymentProblem = {
  status: 402,
  fields: {
    pricing: Type.Optional(
      field(pricingSchema, 'What the read costs and how to pay for it; only with status 402.'),
    ),
    x402Version: Type.Optional(
      field(Type.Literal(1), 'The version of the x402 protocol of accepts; only with status 402.', 1),
    ),
    accepts: Type.Optional(
      field(
        Type.Array(termsV1Schema),
        'The terms for clients of version 1 of the x402 protocol, only with status 402. Clients of version 2 read the header PAYMENT-REQUIRED.',
      ),
    ),
  },
  sample: { pricing: sample, x402Version: 1, accepts: [] },
} as const;

/** The terms of version 1 of the x402 protocol. */
export type PaymentTermsV1 = Static<typeof termsV1Schema>;

/** The fields of {@link paymentProblem}. */
export type PaymentTerms = {
  readonly pricing: Readonly<Static<typeof pricingSchema>>;
  readonly x402Version: 1;
  readonly accepts: readonly PaymentTermsV1[];
};
