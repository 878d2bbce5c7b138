import { listMemberMatchKeys } from '#modules/matching/matches';
import { findMember, mayKeepMatches } from '#modules/people/members';
import { task } from '#platform/queue/task.ts';
import { listOpenPlaces, lockOpenReview, updateReview } from './store.ts';

/** Ends the open requests of a member who has withdrawn the consent to matching: the organisation may record nothing more about them. */
export const endReviews = task<{ readonly member_id: string }>({
  name: 'reviews.endReviews',
  retry_seconds: [5, 30, 120, 600],
  group_by: ({ member_id }) => member_id,
  run: async ({ database, now }, { member_id }) => {
    const member = await findMember(database, member_id);
    if (member && mayKeepMatches(member)) return;
    const places = await listOpenPlaces(database, await listMemberMatchKeys(database, member_id));
    for (const place of places)
      await database.transaction(async (tx) => {
        const open = await lockOpenReview(tx, place);
        if (open)
          await updateReview(tx, place, { ...open, status: 'ended', next_notice_at: null, closed_at: now() });
      });
  },
});
