import { Refusal } from '#lib/refusal.ts';
import { findAccount } from '#modules/access/accounts';
import { requireConsent } from '#modules/people/consent';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { lockNewestAssessment } from '../store.ts';
import { insertMirror } from './insert-mirror.ts';
import { loadLink } from './open-link.ts';
import { linkInput } from './mirror-reply.ts';

export const addMirror = operation({
  name: 'traits.addMirror',
  title: 'Add the answers of a first mirror to an account',
  summary:
    'Begins the member’s assessment with the answers of a first mirror, from the link that was emailed to the address of the account. An assessment that has begun stays as it is.',
  who: ['member'],
  input: closedObject({ token: linkInput }),
  output: { 204: null },
  refuses: [
    'mirror_link_invalid',
    'mirror_expired',
    'mirror_of_another',
    'assessment_begun',
    'consent_required',
  ],
  run: async (context, { token }) => {
    const { email, ...loaded } = await loadLink(context, context.database, token);
    return context.transaction(async (tx) => {
      const { member_id } = context.caller;
      const account = await findAccount(tx, email);
      if (account?.linked_entity_id !== member_id) throw new Refusal('mirror_of_another');
      await requireConsent(tx, member_id, 'assessment_data');
      if (await lockNewestAssessment(tx, member_id)) throw new Refusal('assessment_begun');
      await insertMirror(context, tx, member_id, loaded);
      return null;
    });
  },
});
