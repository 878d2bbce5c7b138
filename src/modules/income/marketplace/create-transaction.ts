import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { microsToNumber, type Micros } from '#lib/money.ts';
import { Refusal } from '#lib/refusal.ts';
import { paymentRefusals, readPaymentProof, type PaymentProof } from '#modules/income/payments';
import {
  dataTypes,
  queryMember,
  queryRefusals,
  share_bps,
  type Query,
  type RecordedRead,
} from '#modules/income/queries';
import { operation, reply, type Context } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import {
  completePurchase,
  convertToAud,
  convertToUsd,
  price_aud_max,
  readOffer,
  type MarketplaceTransaction,
} from './rules.ts';
import { insertTransaction } from './store.ts';
import { toTransactionWire, transactionWire } from './wire.ts';

export const createTransaction = operation({
  name: 'marketplace.createTransaction',
  title: 'Buy identity data',
  summary:
    'Buys one read of a member for the caller’s organisation, with a price in Australian dollars. In development, where the mock rail is on, it pays the offered price by itself. Otherwise the request carries a payment like POST /orgs/queries/credential, which also returns what was read for the same payment.',
  who: ['org_admin'],
  input: Type.Object({
    member_id: field(
      uuid,
      'The `member_id` of one of your matches, or of an unclaimed identity.',
      sampleIds.member,
    ),
    org_id: field(uuid, 'Your organisation, which pays.', sampleIds.organisation),
    data_type: field(Type.Enum(dataTypes), 'What to buy.', 'trait_profile'),
    price_aud: field(
      Type.Number({ minimum: 0.01, maximum: price_aud_max }),
      'What you offer, in Australian dollars, with at most six decimals. On the mock rail it is the price; otherwise it must not be below the price.',
      0.375,
    ),
  }),
  output: { 201: transactionWire },
  location: ({ id }) => `/marketplace/transactions/${id}`,
  refuses: [...queryRefusals, ...paymentRefusals, 'not_a_party', 'offer_too_low'],
  idempotent: true,
  takes_payment: true,
  run: async (context, { member_id, org_id, data_type, price_aud }) => {
    if (org_id !== context.caller.org_id) throw new Refusal('not_a_party');
    const payment = arrangePayment(context, readOffer(price_aud));
    return queryMember(
      context,
      { member_ref: member_id, data_type, ...payment, is_paid: true, is_on_marketplace: true },
      async (tx, read) => {
        const transaction = await insertTransaction(tx, buildTransaction(context, member_id, read));
        return reply(201, toTransactionWire(transaction, 'organisation'), [], read.payment?.receiptHeader);
      },
    );
  },
});

/**
 * Takes the payment of the request. Without one, the mock rail pays the offered price by itself. A real payment is of the price that was quoted,
 * which the offer must reach.
 *
 * @throws Refusal `malformed_payment`. `acceptPrice` throws `offer_too_low`.
 */
function arrangePayment(
  { config, request, now }: Context<'org_admin'>,
  offer: Micros,
): Pick<Query, 'proof' | 'price' | 'acceptPrice'> {
  const { payments, aud_per_usd_micros } = config;
  const proof = readPaymentProof(request.payment);
  if (proof === null && payments.rails.includes('mock'))
    return { proof: createMockProof(now()), price: convertToUsd(offer, aud_per_usd_micros) };
  const acceptPrice = (price: Micros) => {
    const price_aud = convertToAud(price, aud_per_usd_micros);
    if (offer < price_aud)
      throw new Refusal('offer_too_low', { detail: `The price is ${microsToNumber(price_aud)} AUD.` });
  };
  return { proof, acceptPrice };
}

function createMockProof(now: Date): PaymentProof {
  return {
    kind: 'hash',
    tx_hash: `marketplace-${randomUUID()}`,
    timestamp: Math.floor(now.getTime() / 1000),
  };
}

function buildTransaction(
  { config, now }: Context<'org_admin'>,
  shown_member_id: string,
  { order, payment }: RecordedRead,
): MarketplaceTransaction {
  if (payment === null) throw new Error('a purchase on the marketplace was free');
  const { amount, claimId, protocolVersion } = payment;
  const { org_id, member_id, data_type } = order;
  const parties = { member_id, shown_member_id, org_id };
  const bought = { claim_id: claimId, data_type, protocol_version: protocolVersion, amount };
  return completePurchase(
    { id: randomUUID(), ...parties, ...bought, at: now() },
    { aud_per_usd: config.aud_per_usd_micros, share_bps },
  );
}
