import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { lockJobShared } from '#modules/matching/jobs';
import { lockDeployedMember } from '#modules/people/members';
import { isSuspendedOrganisation } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { computeAlias } from '../alias.ts';
import { sharingStatuses } from '../contact/rules.ts';
import { createEngagementRefusal } from '../engagement-check.ts';
import { matchAccepted, matchDeclined, matchProposed } from '../events.ts';
import { isParty } from '../parties.ts';
import { findMatch, lockMatch, updateMatchStatus, type Match } from '../store.ts';
import { decideMove, isOpen, type MatchStatus } from '../rules.ts';

type MoveContext = Pick<
  Context<'member' | 'org_admin' | 'platform_admin'>,
  'caller' | 'memory' | 'now' | 'queue' | 'secrets'
>;

/**
 * Moves a match on behalf of its member or its organisation, emits the event and writes an audit entry. A platform administrator acts for
 * the organisation. A match proceeds only while the job is active and the member is deployed; it can be ended at any time.
 *
 * @param checkBefore Checks the locked match before anything changes.
 * @returns the match after the move.
 * @throws Refusal `match_not_found`, even if the caller is not a party of the match; `match_status_conflict`, `job_closed`,
 * `engagement_level_too_low`.
 */
export async function moveMatch(
  context: MoveContext,
  tx: Transaction,
  match_id: string,
  to: MatchStatus,
  checkBefore?: (match: Match) => Promise<void>,
): Promise<Match> {
  const { match, job, deployed } = await lockParties(context, tx, match_id);
  await checkBefore?.(match);
  const by = context.caller.role === 'member' ? 'member' : 'organisation';
  if (by === 'member' && !deployed) throw createEngagementRefusal();
  if (!decideMove(match.match_status, to, by)) return match;
  if (isOpen(to) && job.status !== 'active')
    throw new Refusal('job_closed', {
      detail: `The job is ${job.status}. Only matches of active jobs can proceed.`,
    });
  if (isOpen(to) && (await isSuspendedOrganisation(tx, match.org_id)))
    throw new Refusal('job_closed', {
      detail: 'The job is paused, because the operator of this service has suspended its organisation.',
    });
  if (isOpen(to) && !deployed)
    throw new Refusal('match_status_conflict', { detail: 'The member is not available for matching now.' });
  updateMatchStatus(tx, match, to);
  await reportMove(context, tx, match, to);
  return { ...match, match_status: to };
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

type MoveEvent = typeof matchProposed | typeof matchAccepted | typeof matchDeclined;

/** The event of each move that concerns the other party. */
const statusEvents: Readonly<Partial<Record<MatchStatus, MoveEvent>>> = {
  org_interested: matchProposed,
  member_accepted: matchAccepted,
  member_declined: matchDeclined,
};

async function reportMove(
  context: MoveContext,
  tx: Transaction,
  match: Match,
  to: MatchStatus,
): Promise<void> {
  const { id, job_id, org_id, member_id, match_status } = match;
  const event = statusEvents[to];
  // The organisation learns the real id from the member's acceptance, and from nothing before it.
  const shown_member_id = sharingStatuses.has(to) ? member_id : computeAlias(context, match);
  if (event)
    await context.queue.emit(tx, event, { match_id: id, job_id, org_id, member_id, shown_member_id });
  await recordCallerAudit(context, tx, {
    action: 'matching.status_changed',
    // The entry appears in the log of the party that acted; the organisation's log contains no id of the member.
    ...(context.caller.role === 'member' ? { member_id } : { org_id }),
    detail: { match_id: id, from: match_status, to },
  });
}
