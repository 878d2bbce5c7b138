import { Type } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { findAvailableMember } from '#modules/matching/placements';
import { checkVerifiedAdmin } from '#modules/matching/matches';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { reviewChanged } from './events.ts';
import { findPartyMatch } from './find-party-match.ts';
import { isOverdue } from './rules.ts';
import { lockOpenReview, updateReview } from './store.ts';
import { answerInput, reviewWire, toReviewWire } from './wire.ts';

export const answerReview = operation({
  name: 'reviews.answerReview',
  title: 'Answer a request for a human review',
  summary:
    'Answers the open request of a member about a match, with what a person has decided and why. The member gets an email, and the answer is final. An answer after the due date is accepted and counted as late.',
  who: ['org_admin'],
  input: Type.Object({ match_id: uuid, ...answerInput }),
  output: { 200: reviewWire },
  refuses: ['match_not_found', 'match_ended', 'review_not_open', 'email_not_verified'],
  idempotent: true,
  run: async (context, { match_id, outcome, answer }) => {
    await checkVerifiedAdmin(context);
    return context.transaction(async (tx) => {
      const match = await findPartyMatch(tx, context.caller, match_id);
      await findAvailableMember(tx, match);
      const open = requireFound(await lockOpenReview(tx, match), 'review_not_open');
      const now = context.now();
      const review = {
        ...open,
        status: 'answered' as const,
        next_notice_at: null,
        outcome,
        answer,
        closed_at: now,
      };
      await updateReview(tx, match, review);
      const { job_id, org_id, member_id } = match;
      await recordCallerAudit(context, tx, {
        action: 'reviews.review_answered',
        member_id,
        org_id,
        detail: { match_id: match.id, review_id: review.id, outcome, is_late: isOverdue(open, now) },
      });
      await context.queue.emit(tx, reviewChanged, {
        review_id: review.id,
        match_id: match.id,
        job_id,
        org_id,
        member_id,
        change: 'answered',
      });
      return toReviewWire(match.id, review, now);
    });
  },
});
