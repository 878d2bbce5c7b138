import { createFieldRefusal, requireFound } from '#lib/refusal.ts';
import { requireConsent } from '#modules/people/consent';
import { lockMember } from '#modules/people/members';
import { checkIfMatch } from '#platform/etag.ts';
import { operation } from '#platform/operation.ts';
import { listOfferedChoices } from './jurisdictions.ts';
import {
  findUnofferedQuestion,
  nothingStated,
  type OfferedChoices,
  type SelfIdentification,
} from './rules.ts';
import { findAnswers, upsertAnswers } from './store.ts';
import { selfIdentificationInput, selfIdentificationWire, toSelfIdentificationWire } from './wire.ts';

export const setSelfIdentification = operation({
  name: 'selfIdentification.setSelfIdentification',
  title: 'Set your self-identification',
  summary:
    'Replaces what the caller says about themselves for statistics about fairness; a question that is left out stays open. Several answers can be chosen for gender and ethnicity; the country of the profile decides which are offered, and a move deletes those that are not. It needs the consent demographic_self_identification and is never used for matching. Withdrawing the consent deletes it.',
  who: ['member'],
  input: selfIdentificationInput,
  output: { 200: selfIdentificationWire },
  etag: true,
  refuses: ['member_not_found', 'consent_required'],
  run: (context, input) =>
    context.transaction(async (tx) => {
      const { member_id } = context.caller;
      // Under the lock, the consent cannot be withdrawn before the answers are stored, and the country stays.
      const member = requireFound(await lockMember(tx, member_id), 'member_not_found');
      await requireConsent(tx, member_id, 'demographic_self_identification');
      const country = member.location_country;
      const offered = listOfferedChoices(context.config.selfIdentification, country);
      const before = (await findAnswers(tx, member_id)) ?? nothingStated;
      await checkIfMatch(context.request, () => toSelfIdentificationWire(before, country, offered));
      const answers = { ...nothingStated, ...input };
      checkOffered(answers, offered);
      const stored = await upsertAnswers(tx, member_id, answers, context.now());
      return toSelfIdentificationWire(stored, country, offered);
    }),
});

/** @throws Refusal `field_invalid` that names the question, if an answer is not offered in the member's country. */
function checkOffered(answers: SelfIdentification, offered: OfferedChoices): void {
  const attribute = findUnofferedQuestion(answers, offered);
  if (!attribute) return;
  const choices = offered[attribute];
  throw createFieldRefusal(
    'field_invalid',
    `/${attribute}`,
    choices.length === 0
      ? 'is not asked in your country'
      : `in your country, must be one of ${choices.join(', ')}`,
  );
}
