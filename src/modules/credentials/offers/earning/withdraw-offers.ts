import type { ConsentType } from '#modules/people/consent';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { endOffer } from '../open-offer.ts';
import type { Offer } from '../rules.ts';
import { lockLiveOffers } from '../store.ts';

type Data = { readonly member_id: string };

const settings = {
  retry_seconds: [5, 30, 120, 600],
  group_by: ({ member_id }: Data) => member_id,
};

/** Withdraws open offers about the assessment of a member who has withdrawn the consent to it. */
export const withdrawAssessmentOffers = task<Data & { readonly consent_type: ConsentType }>({
  name: 'offers.withdrawAssessmentOffers',
  ...settings,
  run: async (context, { member_id, consent_type }) => {
    if (consent_type !== 'assessment_data') return;
    await withdrawLive(context, { member_id, match_id: null }, 'You have withdrawn your consent.');
  },
});

/** Withdraws open offers about a match that its member has withdrawn from. */
export const withdrawMatchOffers = task<Data & { readonly match_id: string }>({
  name: 'offers.withdrawMatchOffers',
  ...settings,
  run: (context, { member_id, match_id }) =>
    withdrawLive(context, { member_id, match_id }, 'You have withdrawn from the match.'),
});

function withdrawLive(
  context: TaskContext,
  basis: Pick<Offer, 'member_id' | 'match_id'>,
  reason: string,
): Promise<void> {
  return context.database.transaction(async (tx) => {
    for (const offer of await lockLiveOffers(tx, basis))
      await endOffer(context, tx, offer, { state: 'withdrawn', reason });
  });
}
