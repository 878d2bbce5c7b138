import { findMember } from '#modules/people/members';
import { operation } from '#platform/operation.ts';
import { listOfferedChoices } from './jurisdictions.ts';
import { nothingStated } from './rules.ts';
import { findAnswers } from './store.ts';
import { selfIdentificationWire, toSelfIdentificationWire } from './wire.ts';

export const readSelfIdentification = operation({
  name: 'selfIdentification.readSelfIdentification',
  title: 'Read your self-identification',
  summary:
    'Reads what the caller has said about themselves for statistics about fairness, and which answers are offered in the country of their profile. No one else can read it.',
  who: ['member'],
  output: { 200: selfIdentificationWire },
  etag: true,
  run: async ({ database, caller, config }) => {
    const [answers, member] = await Promise.all([
      findAnswers(database, caller.member_id),
      findMember(database, caller.member_id),
    ]);
    const country = member?.location_country ?? null;
    const offered = listOfferedChoices(config.selfIdentification, country);
    return toSelfIdentificationWire(answers ?? nothingStated, country, offered);
  },
});
