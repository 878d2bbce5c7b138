import { Type } from 'typebox';
import { paymentRefusals, readPaymentProof } from '#modules/income/payments';
import { operation } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { queryMember, replyWithResult } from './query-member.ts';
import { dataTypes, queryRefusals } from './rules.ts';
import { queryResultWire } from './wire.ts';

export const queryCredential = operation({
  name: 'queries.queryCredential',
  title: 'Read identity data',
  summary:
    'Reads labels about one member, without a number and without a name, for a payment or from the free allowance. Without either, the reply is 402 with the price. The payment travels in PAYMENT-SIGNATURE or X-PAYMENT; the same payment sent again returns the same result and costs nothing.',
  who: ['org_admin'],
  input: Type.Object({
    member_id: field(
      uuid,
      'The `member_id` of one of your matches: an alias, or the real id once both have agreed.',
      sampleIds.member,
    ),
    data_type: field(Type.Enum(dataTypes), 'What to read.', 'trait_profile'),
  }),
  output: { 200: queryResultWire },
  refuses: [...queryRefusals, ...paymentRefusals],
  idempotent: true,
  takes_payment: true,
  run: (context, { member_id, data_type }) => {
    const proof = readPaymentProof(context.request.payment);
    return queryMember(context, { member_ref: member_id, data_type, proof }, replyWithResult);
  },
});
