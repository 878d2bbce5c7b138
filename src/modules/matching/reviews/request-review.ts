import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Refusal, requireFound } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { findAvailableMember } from '#modules/matching/placements';
import { keepMatch, lockMatch, type Match } from '#modules/matching/matches';
import { lockMemberShared } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { reviewChanged } from './events.ts';
import { findPartyMatch } from './find-party-match.ts';
import { buildReview } from './rules.ts';
import { insertReview, listReviews } from './store.ts';
import { reasonInput, reviewWire, toReviewWire } from './wire.ts';

export const requestReview = operation({
  name: 'reviews.requestReview',
  title: 'Ask for a human review of a match',
  summary:
    'Asks that a person of the organisation looks at a match of the caller and at what was decided. Its administrators get an email and have 14 days; the due date is in the reply. A match has one open request, and three in all.',
  who: ['member'],
  input: Type.Object({ match_id: uuid, reason: reasonInput }),
  output: { 201: reviewWire },
  refuses: ['match_not_found', 'match_ended', 'review_open', 'review_limit_reached'],
  idempotent: true,
  location: ({ match_id }) => `/matches/${match_id}/reviews`,
  run: (context, { match_id, reason = null }) =>
    context.transaction(async (tx) => {
      const match = await lockOwnMatch(context, tx, match_id);
      const review = buildReview(await listReviews(tx, match), { id: randomUUID(), reason }, context.now());
      // Another request of the member may have come first.
      if (!(await insertReview(tx, match, review))) throw new Refusal('review_open');
      await keepMatch(tx, match);
      const { job_id, org_id, member_id } = match;
      await recordCallerAudit(context, tx, {
        action: 'reviews.review_requested',
        // The log of the organisation has no time of a single member.
        member_id,
        detail: { match_id: match.id, review_id: review.id },
      });
      await context.queue.emit(tx, reviewChanged, {
        review_id: review.id,
        match_id: match.id,
        job_id,
        org_id,
        member_id,
        change: 'requested',
      });
      return reply(201, toReviewWire(match.id, review, context.now()));
    }),
});

/**
 * Locks the member, who then cannot withdraw the consent to matching before the request is stored, and the match, which then is not deleted by a computation.
 *
 * @throws Refusal `match_not_found`, `match_ended`.
 */
async function lockOwnMatch(
  { caller }: Context<'member'>,
  tx: Transaction,
  match_id: string,
): Promise<Match> {
  const found = await findPartyMatch(tx, caller, match_id);
  await lockMemberShared(tx, found.member_id);
  await findAvailableMember(tx, found);
  const match = requireFound(await lockMatch(tx, match_id), 'match_not_found');
  return match;
}
