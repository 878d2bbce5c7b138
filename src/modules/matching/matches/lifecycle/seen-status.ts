import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { field } from '#platform/schema.ts';
import { matchStatuses, type MatchStatus } from '../rules.ts';

/** What a decision was based on. */
export const seenStatusInput = Type.Optional(
  field(
    Type.Enum(matchStatuses),
    'The status in which the caller has seen the match. If a colleague or the member has moved it since, the decision is refused, unless it was the same one.',
    'pending_review',
  ),
);

/**
 * Checks that nobody has moved a match since the caller saw it. Otherwise the pass of somebody whose list is old would silently replace the interest of a colleague.
 *
 * @throws Refusal `match_status_conflict`.
 */
export function checkSeenStatus(
  { match_status }: { readonly match_status: MatchStatus },
  {
    status,
    seen_status = match_status,
  }: { readonly status: MatchStatus; readonly seen_status?: MatchStatus | undefined },
): void {
  if (match_status !== seen_status && match_status !== status)
    throw new Refusal('match_status_conflict', {
      detail: `The match has the status ${match_status}, and not ${seen_status} any more: a colleague or the member was faster.`,
    });
}
