import { Type } from 'typebox';
import { paymentRefusals, readPaymentProof } from '#modules/income/payments';
import { operation, reply, type ToolDeclaration } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { dataTypes, readRefusals } from '../rules.ts';
import { readResultWire } from '../wire.ts';
import { readMember } from './read-member.ts';

export const createRead = operation({
  name: 'reads.createRead',
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
  output: { 200: readResultWire },
  refuses: [...readRefusals, ...paymentRefusals],
  idempotent: true,
  takes_payment: true,
  tools: [
    buildReadTool('archetype', {
      title: 'Buy an archetype',
      consent: 'Buy reads of people’s archetypes',
      what: 'the archetype',
    }),
    buildReadTool('trait_profile', {
      title: 'Buy a trait profile',
      consent: 'Buy reads of people’s trait profiles',
      what: 'the tiers of the five trait families and the archetype',
    }),
    buildReadTool('values_profile', {
      title: 'Buy a values profile',
      consent: 'Buy reads of people’s values profiles',
      what: 'what kind of culture the person values',
    }),
    buildReadTool('alignment', {
      title: 'Buy an alignment',
      consent: 'Buy reads of how people’s values suit your organisation',
      what: 'how the person’s values fit the culture profile of the organisation',
    }),
  ],
  run: (context, { member_id, data_type }) => {
    const proof = readPaymentProof(context.request.payment);
    return readMember(context, { member_ref: member_id, data_type, proof }, (_tx, { result, payment }) =>
      reply(200, result, [], payment?.receipt),
    );
  },
});

/** A tool that buys one type of data. */
function buildReadTool(
  data_type: (typeof dataTypes)[number],
  { title, consent, what }: { readonly title: string; readonly consent: string; readonly what: string },
): ToolDeclaration {
  return {
    name: `query_${data_type}`,
    title,
    kind: 'spend',
    roles: ['org_admin'],
    consent,
    fixed: { data_type },
    description: `Buys one read about one person: ${what}, in labels without numbers and under a pseudonym. member_id is that of list_job_matches. Uses the free allowance of the organisation while one is left; after that, a call without payment is refused with the price and how to pay (error -32000), and costs nothing. Three quarters of the price go to the person. The same payment sent again returns the same result.`,
  };
}
