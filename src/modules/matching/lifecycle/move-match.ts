import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/audit';
import { lockJobShared } from '#modules/jobs';
import { lockDeployedMembers } from '#modules/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { createEngagementRefusal } from '../engagement-check.ts';
import { matchAccepted, matchDeclined, matchProposed } from '../events.ts';
import { isParty } from '../parties.ts';
import { findMatch, lockMatch, updateMatchStatus, type Match } from '../store.ts';
import { decideMove, isOpen, type MatchStatus } from './rules.ts';

type MoveContext = Pick<Context<'member' | 'org_admin' | 'platform_admin'>, 'caller' | 'now' | 'queue'>;

/**
 * Moves a match on behalf of its member or its organisation, emits the event and writes an audit entry. A platform administrator acts for
 * the organisation. A match proceeds only while the job is active and the member is deployed; it can be ended at any time.
 *
 * @throws Refusal `match_not_found`, also if the caller is not a party of the match; `match_status_conflict`, `job_closed`,
 * `engagement_level_too_low`.
 */
export async function moveMatch(
  context: MoveContext,
  tx: Transaction,
  match_id: string,
  to: MatchStatus,
): Promise<Match> {
  const { match, job_status, deployed } = await lockParties(context, tx, match_id);
  const by = context.caller.role === 'member' ? 'member' : 'organisation';
  if (by === 'member' && !deployed) throw createEngagementRefusal();
  if (!decideMove(match.match_status, to, by)) return match;
  if (isOpen(to) && job_status !== 'active')
    throw new Refusal('job_closed', {
      detail: `The job is ${job_status}. Only matches of active jobs can proceed.`,
    });
  if (isOpen(to) && !deployed)
    throw new Refusal('match_status_conflict', { detail: 'The member is not available for matching now.' });
  await updateMatchStatus(tx, match.id, to);
  await reportMove(context, tx, match, to);
  return { ...match, match_status: to };
}

/** Locks the job, the member and the match until the transaction ends. Computations lock in the same order, so that no deadlock occurs. */
async function lockParties({ caller }: MoveContext, tx: Transaction, match_id: string) {
  const unlocked = await findMatch(tx, match_id);
  if (!unlocked || (caller.role !== 'platform_admin' && !isParty(caller, unlocked)))
    throw new Refusal('match_not_found');
  const { job_id, member_id } = unlocked;
  const job = await lockJobShared(tx, job_id);
  const deployed = (await lockDeployedMembers(tx, [member_id])).has(member_id);
  const match = await lockMatch(tx, match_id);
  if (!match || !job) throw new Refusal('match_not_found');
  return { match, job_status: job.status, deployed };
}

/** The event of each move that concerns the other party. */
const statusEvents: Readonly<Partial<Record<MatchStatus, typeof matchProposed>>> = {
  org_interested: matchProposed,
  member_accepted: matchAccepted,
  member_declined: matchDeclined,
};

async function reportMove(
  context: MoveContext,
  tx: Transaction,
  { id, job_id, org_id, member_id, match_status }: Match,
  to: MatchStatus,
): Promise<void> {
  const event = statusEvents[to];
  if (event) await context.queue.emit(tx, event, { match_id: id, job_id, org_id, member_id });
  await recordCallerAudit(context, tx, {
    action: 'matching.status_changed',
    // The entry appears in the log of the party that acted; the organisation's log contains no id of the member.
    ...(context.caller.role === 'member' ? { member_id } : { org_id }),
    detail: { match_id: id, from: match_status, to },
  });
}
