import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { lockJobShared, type Job } from '#modules/matching/jobs';
import { lockDeployedMember } from '#modules/people/members';
import { isSuspendedOrganisation } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { sharingStatuses } from '../contact/rules.ts';
import { deleteMatchContact } from '../contact/store.ts';
import { createEngagementRefusal } from '../engagement-check.ts';
import { interestWithdrawn, matchAccepted, matchDeclined, matchProposed, matchReopened } from '../events.ts';
import { isParty } from '../parties.ts';
import { findMatch, lockMatch, updateMatchStatus, type LockedMatch, type Match } from '../store.ts';
import { decideMove, isOpen, proposals_max, type MatchStatus } from '../rules.ts';
import { buildEventData } from '../announcing/build-event-data.ts';

export type MoveContext = Pick<
  Context<'member' | 'org_admin' | 'platform_admin'>,
  'caller' | 'memory' | 'now' | 'queue' | 'secrets'
>;

type MoveOptions = {
  /** Checks the locked match before anything changes. */
  readonly checkBefore?: (match: LockedMatch) => Promise<void> | void;
  /** The decision that the move is a part of, if its effects wait for `announceInterests`. */
  readonly decision_id?: string | undefined;
};

/** A match after a move. `isMoved` is false if it had the status already. */
export type Moved = { readonly match: Match; readonly isMoved: boolean };

/**
 * Moves a match on behalf of its member or its organisation, emits the event and writes an audit entry. A platform administrator acts for
 * the organisation. A match proceeds only while the job is active and the member is deployed; it can be ended at any time.
 *
 * @throws Refusal `match_not_found`, even if the caller is not a party of the match; `match_status_conflict`, `job_closed`,
 * `engagement_level_too_low`.
 */
export async function moveMatch(
  context: MoveContext,
  tx: Transaction,
  match_id: string,
  to: MatchStatus,
  { checkBefore, decision_id }: MoveOptions = {},
): Promise<Moved> {
  const { match, job, deployed } = await lockParties(context, tx, match_id);
  await checkBefore?.(match);
  const by = context.caller.role === 'member' ? 'member' : 'organisation';
  if (by === 'member' && !deployed) throw createEngagementRefusal();
  if (!decideMove(match.match_status, to, by)) return { match, isMoved: false };
  if (isOpen(to)) await checkProceeding(tx, match, job, deployed);
  checkRepetition(match, to, job);
  const isAnnounced = decision_id === undefined;
  const moved = {
    ...match,
    match_status: to,
    decision_id: decision_id ?? null,
    proposals: match.proposals + (to === 'org_interested' && isAnnounced ? 1 : 0),
  };
  updateMatchStatus(tx, moved);
  if (isAnnounced) await emitMove(context, tx, match, to);
  if (isWithdrawal(match, to)) await withdrawInterest(context, tx, match, to);
  await recordMove(context, tx, match, to);
  return { match: moved, isMoved: true };
}

/** Locks the job, the member and the match until the transaction ends. Computations lock in the same order, so that no deadlock occurs. */
async function lockParties({ caller }: MoveContext, tx: Transaction, match_id: string) {
  const unlocked = await findMatch(tx, match_id);
  if (!unlocked || (caller.role !== 'platform_admin' && !isParty(caller, unlocked)))
    throw new Refusal('match_not_found');
  const { job_id, member_id } = unlocked;
  // The statements run in this order.
  const [job, deployed, match] = await Promise.all([
    lockJobShared(tx, job_id),
    lockDeployedMember(tx, member_id),
    lockMatch(tx, match_id),
  ]);
  if (!match || !job) throw new Refusal('match_not_found');
  return { match, job, deployed };
}

/** Checks that both sides can still come together. */
async function checkProceeding(tx: Transaction, match: Match, job: Job, deployed: boolean): Promise<void> {
  if (job.status !== 'active')
    throw new Refusal('job_closed', {
      detail: `The job is ${job.status}. Only matches of active jobs can proceed. Its organisation opens it with PATCH /orgs/me/jobs/{job_id}.`,
    });
  if (await isSuspendedOrganisation(tx, match.org_id))
    throw new Refusal('job_closed', {
      detail: 'The job is paused, because the operator of this service has suspended its organisation.',
    });
  if (!deployed)
    throw new Refusal('match_status_conflict', { detail: 'The member is not available for matching now.' });
}

/** Checks what would otherwise be gained by deciding again and again. */
function checkRepetition(match: LockedMatch, to: MatchStatus, job: Job): void {
  // The next computation would give this match alone another alias, which would then be known to be the same person.
  if (to === 'pending_review' && match.version !== job.version)
    throw new Refusal('match_status_conflict', {
      detail:
        'The job asks for something else now than when the decision was made, so the match cannot be reviewed again. An interest can still be withdrawn with org_passed.',
    });
  if (to === 'org_interested' && match.proposals >= proposals_max)
    throw new Refusal('match_status_conflict', {
      detail: 'The member has been asked as often about this job as is allowed.',
    });
}

type MoveEvent = typeof matchProposed | typeof matchAccepted | typeof matchDeclined;

/** The event of each move that concerns the other party. */
const statusEvents: Readonly<Partial<Record<MatchStatus, MoveEvent>>> = {
  org_interested: matchProposed,
  member_accepted: matchAccepted,
  member_declined: matchDeclined,
};

/** Emits the event of a move, if it has one. The organisation learns the real id from the member's acceptance, and from nothing before it. */
async function emitMove(context: MoveContext, tx: Transaction, match: Match, to: MatchStatus): Promise<void> {
  const event = statusEvents[to];
  if (event) await context.queue.emit(tx, event, buildEventData(context, match, sharingStatuses.has(to)));
  if (to === 'pending_review' && match.match_status === 'org_passed')
    await context.queue.emit(tx, matchReopened, {
      ...buildEventData(context, match, false),
      reopened_from: 'org_passed',
    });
}

type WithdrawnStatus = 'pending_review' | 'org_passed';

function isWithdrawal({ match_status }: Match, to: MatchStatus): to is WithdrawnStatus {
  return match_status === 'org_interested' && (to === 'pending_review' || to === 'org_passed');
}

/** Deletes what the organisation had added to its interest. If nobody was informed of the interest, nobody is informed that it is withdrawn. */
async function withdrawInterest(
  context: MoveContext,
  tx: Transaction,
  match: LockedMatch,
  match_status: WithdrawnStatus,
): Promise<void> {
  deleteMatchContact(tx, match);
  if (match.decision_id !== null) return;
  const data = { ...buildEventData(context, match, false), match_status };
  await context.queue.emit(tx, interestWithdrawn, data);
}

async function recordMove(
  context: MoveContext,
  tx: Transaction,
  match: Match,
  to: MatchStatus,
): Promise<void> {
  const { id, org_id, member_id, match_status } = match;
  await recordCallerAudit(context, tx, {
    action: 'matching.status_changed',
    // The entry appears in the log of the party that acted; the organisation's log contains no id of the member.
    ...(context.caller.role === 'member' ? { member_id } : { org_id }),
    detail: { match_id: id, from: match_status, to },
  });
}
