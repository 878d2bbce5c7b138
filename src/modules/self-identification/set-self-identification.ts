import { Refusal } from '#lib/refusal.ts';
import { requireConsent } from '#modules/consent';
import { lockMember } from '#modules/members';
import { checkIfMatch } from '#platform/etag.ts';
import { operation } from '#platform/operation.ts';
import { nothingStated } from './rules.ts';
import { findAnswers, upsertAnswers } from './store.ts';
import { selfIdentificationInput, selfIdentificationWire } from './wire.ts';

export const setSelfIdentification = operation({
  name: 'selfIdentification.setSelfIdentification',
  title: 'Set your self-identification',
  summary:
    'Replaces what the caller says about themselves for statistics about fairness; a question that is left out stays open. It needs the consent demographic_self_identification and is never used for matching. Withdrawing the consent deletes it.',
  who: ['member'],
  input: selfIdentificationInput,
  output: { 200: selfIdentificationWire },
  etag: true,
  refuses: ['member_not_found', 'consent_required'],
  run: (context, input) =>
    context.transaction(async (tx) => {
      const { member_id } = context.caller;
      // Under the lock, the consent cannot be withdrawn before the answers are stored.
      if (!(await lockMember(tx, member_id))) throw new Refusal('member_not_found');
      await requireConsent(tx, member_id, 'demographic_self_identification');
      const before = await findAnswers(tx, member_id);
      await checkIfMatch(context.request, () => before ?? nothingStated);
      return upsertAnswers(tx, member_id, { ...nothingStated, ...input }, context.now());
    }),
});
