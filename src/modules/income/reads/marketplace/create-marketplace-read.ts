import { Type } from 'typebox';
import type { Micros } from '#lib/money.ts';
import { paymentRefusals, readPaymentProof } from '#modules/income/payments';
import { Refusal } from '#lib/refusal.ts';
import { operation, reply } from '#platform/operation.ts';
import { closedObject, field, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import type { ReadContext } from '../making/pay-for-read.ts';
import { readMember } from '../making/read-member.ts';
import { dataTypes, readRefusals, type DataType } from '../rules.ts';
import { findPayableProposal } from '../store-proposals.ts';
import { listInAud } from './list-in-aud.ts';
import { proposeRead } from './propose-read.ts';
import { price_aud_max, readOffer } from './rules.ts';
import { readResultWire } from '../wire.ts';
import { marketplaceReadWire, toMarketplaceReadWire, toProposalWire } from './wire.ts';

/** What a purchase replies: the transaction, and what was read. */
const purchaseWire = closedObject(
  {
    ...marketplaceReadWire.properties,
    result: Type.Optional(readResultWire),
  },
  { $id: 'MarketplacePurchase' },
);

export const createMarketplaceRead = operation({
  name: 'reads.createMarketplaceRead',
  title: 'Record a transaction',
  summary:
    'Recorded by an organisation, it buys one read of a member, with a price in Australian dollars. In development, where the mock rail is on, it pays the offered price by itself; otherwise the request carries a payment like POST /orgs/queries/credential. Recorded by a member, it is pending until the organisation pays it, by recording the same transaction, or declines it.',
  who: ['org_admin', 'member'],
  input: Type.Object({
    member_id: field(
      uuid,
      'For an organisation, the `member_id` of one of its matches, of an unclaimed identity, or of a pending transaction. For a member, their own id.',
      sampleIds.member,
    ),
    org_id: field(
      uuid,
      'The organisation that pays: your own, or for a member one with which they have an open match.',
      sampleIds.organisation,
    ),
    data_type: field(Type.Enum(dataTypes), 'What to buy or sell.', 'trait_profile'),
    price_aud: field(
      Type.Number({ minimum: 0.01, maximum: price_aud_max }),
      'What you offer or ask, in Australian dollars, with at most six decimals. On the mock rail, and where a member asks it, it is the price; otherwise it must not be below the price.',
      0.375,
    ),
  }),
  output: { 201: purchaseWire },
  location: ({ id }) => `/marketplace/transactions/${id}`,
  refuses: [
    ...readRefusals,
    ...paymentRefusals,
    'not_a_party',
    'offer_too_low',
    'too_many_transactions',
    'transaction_ended',
    'transaction_pending',
  ],
  idempotent: true,
  takes_payment: true,
  checks: [({ price_aud }) => void readOffer(price_aud)],
  run: async ({ caller, ...context }, { member_id, org_id, data_type, price_aud }) => {
    const named = { member_id, org_id, data_type };
    const price = readOffer(price_aud);
    if (caller.role === 'org_admin') return buyRead({ ...context, caller }, named, price);
    const side = { member_id: caller.member_id };
    if (named.member_id !== caller.member_id) throw new Refusal('not_a_party');
    return proposeRead({ ...context, caller }, { ...named, price }, (proposal) =>
      reply(201, toProposalWire(proposal, side)),
    );
  },
});

type Named = { readonly member_id: string; readonly org_id: string; readonly data_type: DataType };

/** Buys a read. If the member has recorded the same transaction, this one pays it. */
async function buyRead(context: ReadContext, { member_id, org_id, data_type }: Named, offer_aud: Micros) {
  if (org_id !== context.caller.org_id) throw new Refusal('not_a_party');
  const proof = readPaymentProof(context.request.payment);
  const wanted = { org_id, known_as: member_id, data_type, price_aud_micros: Number(offer_aud) };
  const proposal = await findPayableProposal(context.database, wanted, context.now());
  const request = { member_ref: member_id, data_type, proof, offer_aud, ...(proposal && { proposal }) };
  return readMember(context, request, async (tx, made) => {
    const listing = { shown_member_id: member_id, offer_aud };
    const listed = await listInAud(context, tx, made.wanted, listing, made.payment);
    const transaction = toMarketplaceReadWire(listed, { org_id });
    return reply(201, { ...transaction, result: made.result }, [], made.payment?.receipt);
  });
}
