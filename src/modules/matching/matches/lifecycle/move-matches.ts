import type { Static } from 'typebox';
import { readParentId } from '#lib/child-id.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { recordInterest } from '../contact/add-to-contact.ts';
import type { MatchStatus } from '../rules.ts';
import type { LockedMatch } from '../store.ts';
import { moveMatch } from './move-match.ts';
import { checkSeenStatus } from './seen-status.ts';
import type { decisionWire } from './wire.ts';

type Moves = Omit<Static<typeof decisionWire>, 'decision_id'>;

type Decision = {
  readonly job_id: string;
  readonly match_ids: readonly string[];
  readonly status: MatchStatus;
  /** The status in which the caller has seen all of them. */
  readonly seen_status?: MatchStatus | undefined;
  /** The decision that the moves are a part of, if it can be undone as a whole. */
  readonly decision_id?: string | undefined;
  /** The decision that is undone. Matches that are not part of it any longer stay. */
  readonly undone_id?: string;
};

/** Moves matches of a job on behalf of its organisation. A match that cannot be moved keeps no other from it. */
export async function moveMatches(
  context: Context<'org_admin'>,
  tx: Transaction,
  { job_id, match_ids, status, seen_status, decision_id, undone_id }: Decision,
): Promise<Moves> {
  const moved: string[] = [];
  const unchanged: string[] = [];
  const checkBefore = (match: LockedMatch) => {
    checkPart(match, undone_id);
    checkSeenStatus(match, { status, seen_status });
  };
  const refused: Moves['refused'] = [];
  // All decisions lock in the same order, so that two of them cannot deadlock.
  for (const match_id of match_ids.toSorted()) {
    try {
      if (readParentId(match_id) !== job_id) throw new Refusal('match_not_found');
      const move = await moveMatch(context, tx, match_id, status, { checkBefore, decision_id });
      if (move.isMoved && status === 'org_interested')
        recordInterest(context.caller, tx, move.match, undefined);
      (move.isMoved ? moved : unchanged).push(match_id);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push({ match_id, code: error.code, detail: error.message });
    }
  }
  return { moved, unchanged, refused };
}

/** Checks that a match is still part of the decision that is undone. */
function checkPart({ decision_id }: LockedMatch, undone_id: string | undefined): void {
  if (undone_id !== undefined && decision_id !== undone_id)
    throw new Refusal('match_status_conflict', {
      detail: 'The match has been moved since, or the member has been informed of the interest.',
    });
}
