import { Type } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { findPartyMatch } from './find-party-match.ts';
import { lockOpenReview, updateReview } from './store.ts';
import { reviewWire, toReviewWire } from './wire.ts';

export const withdrawReview = operation({
  name: 'reviews.withdrawReview',
  title: 'Withdraw your request for a human review',
  summary: 'Withdraws the open request of the caller about a match. The record of it stays.',
  who: ['member'],
  input: Type.Object({ match_id: uuid }),
  output: { 200: reviewWire },
  refuses: ['match_not_found', 'review_not_open'],
  run: (context, { match_id }) =>
    context.transaction(async (tx) => {
      const match = await findPartyMatch(tx, context.caller, match_id);
      const open = requireFound(await lockOpenReview(tx, match), 'review_not_open');
      const now = context.now();
      const review = { ...open, status: 'withdrawn' as const, next_notice_at: null, closed_at: now };
      await updateReview(tx, match, review);
      await recordCallerAudit(context, tx, {
        action: 'reviews.review_withdrawn',
        member_id: match.member_id,
        detail: { match_id: match.id, review_id: review.id },
      });
      return toReviewWire(match.id, review, now);
    }),
});
