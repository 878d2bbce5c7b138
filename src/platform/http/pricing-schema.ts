import { Type } from 'typebox';
import { closedObject, field, nullable } from '#platform/schema.ts';

const sampleAddress = '0x8c1f4a7e2b3d9605c4e8f1a2b7d6093e5f8c1a24';
const sampleAsset = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';

/** The terms of a payment, in the body of every reply with status 402. */
export const pricingSchema = field(
  closedObject(
    {
      price: field(Type.Number(), 'The price of this read.', 0.05),
      currency: field(Type.Literal('USD'), 'The currency of the price.', 'USD'),
      data_type: field(Type.String(), 'What is read.', 'trait_profile'),
      rails: field(
        Type.Array(Type.Enum(['mock', 'transfer', 'x402'])),
        'The kinds of payment that this service accepts.',
        ['x402'],
      ),
      pay_to: field(nullable(Type.String()), 'The address that receives the payment.', sampleAddress),
      network: field(nullable(Type.String()), 'The chain, as CAIP-2 writes it.', 'eip155:8453'),
      asset: field(
        nullable(Type.String()),
        'The contract of the token, which has six decimals.',
        sampleAsset,
      ),
      confirmations: field(
        nullable(Type.Integer()),
        'How many confirmations a transfer needs before it is accepted.',
        2,
      ),
      share_percent: field(
        Type.Number(),
        'The share of the payment that accrues to the person whose data is read, in percent.',
        75,
      ),
      free_reads_left: field(Type.Integer(), 'How many reads of the free allowance are left.', 0),
    },
    { $id: 'Pricing' },
  ),
  'What the read costs and how to pay for it; only with status 402.',
);

/** What clients of version 1 of the x402 protocol read at the top of the body. */
export const termsV1Fields = {
  x402Version: Type.Optional(
    field(Type.Literal(1), 'The version of the x402 protocol of accepts; only with status 402.', 1),
  ),
  accepts: Type.Optional(
    field(
      Type.Array(
        closedObject({
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
        }),
      ),
      'The terms for clients of version 1 of the x402 protocol, only with status 402. Clients of version 2 read the header PAYMENT-REQUIRED.',
    ),
  ),
};
