import { Type } from 'typebox';
import { paymentRefusals, readPaymentProof } from '#modules/income/payments';
import { Refusal } from '#lib/refusal.ts';
import { operation, reply } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { readMember } from '../making/read-member.ts';
import { dataTypes, readRefusals } from '../rules.ts';
import { listInAud } from './list-in-aud.ts';
import { price_aud_max, readOffer } from './rules.ts';
import { marketplaceReadWire, toMarketplaceReadWire } from './wire.ts';

export const createMarketplaceRead = operation({
  name: 'reads.createMarketplaceRead',
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
  output: { 201: marketplaceReadWire },
  location: ({ id }) => `/marketplace/transactions/${id}`,
  refuses: [...readRefusals, ...paymentRefusals, 'not_a_party', 'offer_too_low'],
  idempotent: true,
  takes_payment: true,
  checks: [({ price_aud }) => void readOffer(price_aud)],
  run: async (context, { member_id, org_id, data_type, price_aud }) => {
    if (org_id !== context.caller.org_id) throw new Refusal('not_a_party');
    const proof = readPaymentProof(context.request.payment);
    const request = { member_ref: member_id, data_type, proof, offer_aud: readOffer(price_aud) };
    return readMember(context, request, async (tx, { wanted, payment }) => {
      const listed = await listInAud(context, tx, wanted, member_id, payment);
      return reply(201, toMarketplaceReadWire(listed, { org_id }), [], payment?.receipt);
    });
  },
});
