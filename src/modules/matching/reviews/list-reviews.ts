import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { checkVerifiedAdmin, findMatch, isParty } from '#modules/matching/matches';
import { operation } from '#platform/operation.ts';
import { closedObject, field, uuid } from '#platform/schema.ts';
import { reviews_max } from './rules.ts';
import { listReviews as listRecords } from './store.ts';
import { reviewWire, toReviewWire } from './wire.ts';

export const listReviews = operation({
  name: 'reviews.listReviews',
  title: 'List the human reviews of a match',
  summary:
    'Lists the requests for a human review of a match and their answers, the oldest first. Its member, its organisation and platform administrators read them.',
  who: roles,
  input: Type.Object({ match_id: uuid }),
  output: {
    200: closedObject(
      { data: field(Type.Array(reviewWire, { maxItems: reviews_max }), 'All requests about the match.') },
      { $id: 'MatchReviewList' },
    ),
  },
  refuses: ['match_not_found', 'email_not_verified'],
  run: async (context, { match_id }) => {
    const { caller, database } = context;
    const [match] = await Promise.all([findMatch(database, match_id), checkVerifiedAdmin(context)]);
    if (!match || (caller.role !== 'platform_admin' && !isParty(caller, match)))
      throw new Refusal('match_not_found');
    const reviews = await listRecords(database, match);
    return { data: reviews.map((review) => toReviewWire(match.id, review, context.now())) };
  },
});
