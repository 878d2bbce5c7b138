import { findLinkedEntityId } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/audit';
import { lockJobShared } from '#modules/jobs';
import { lockDeployedMembers } from '#modules/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { createEngagementRefusal } from '../engagement-check.ts';
import { matchAccepted, matchDeclined, matchProposed } from '../events.ts';
import { isOpen, decideMove, type MatchStatus } from './rules.ts';
import { findMatch, lockMatch, updateMatchStatus, type Match } from '../store.ts';

type MoveContext = Pick<Context<'member' | 'org_admin' | 'platform_admin'>, 'caller' | 'now' | 'queue'>;

/**
 * Moves a match by the hand of its member, its organisation or, for that, a platform administrator, with the news and the entry in the
 * audit log. A match goes on only while the job is active and the member is deployed; it can be ended at any time.
 *
 * @throws Refusal `match_not_found`, also to whoever is no party; `match_status_conflict`, `job_closed`, `engagement_level_too_low`.
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
    throw new Refusal('job_closed', { detail: `The job is ${job_status}: matches of active jobs go on.` });
  if (isOpen(to) && !deployed)
    throw new Refusal('match_status_conflict', { detail: 'The member is no longer there to be matched.' });
  await updateMatchStatus(tx, match.id, to);
  await reportMove(context, tx, match, to);
  return { ...match, match_status: to };
}

/** In the order of computations: the job, the member, the match. Whatever is held stays as it is until the transaction ends. */
async function lockParties({ caller }: MoveContext, tx: Transaction, match_id: string) {
  const found = await findMatch(tx, match_id);
  const isOurs =
    found &&
    (caller.role === 'platform_admin' ||
      [found.member_id, found.org_id].includes(findLinkedEntityId(caller)!));
  if (!isOurs) throw new Refusal('match_not_found');
  const job = await lockJobShared(tx, found.job_id);
  const deployed = (await lockDeployedMembers(tx, [found.member_id])).has(found.member_id);
  const match = await lockMatch(tx, match_id);
  if (!match || !job) throw new Refusal('match_not_found');
  return { match, job_status: job.status, deployed };
}

/** The event of each move that the other side hears about. */
const statusEvents: Readonly<Partial<Record<MatchStatus, typeof matchProposed>>> = {
  org_interested: matchProposed,
  member_accepted: matchAccepted,
  member_declined: matchDeclined,
};

async function reportMove(
  { caller, now, queue }: MoveContext,
  tx: Transaction,
  { id, job_id, org_id, member_id, match_status }: Match,
  to: MatchStatus,
): Promise<void> {
  const event = statusEvents[to];
  if (event) await queue.emit(tx, event, { match_id: id, job_id, org_id, member_id });
  const isMember = caller.role === 'member';
  await recordAudit(tx, {
    now: now(),
    actor_user_id: caller.user_id,
    action: 'matching.status_changed',
    // Each side reads of it in its own log; the organisation's has no id of the member.
    ...(isMember ? { member_id } : { org_id }),
    detail: { match_id: id, from: match_status, to },
  });
}
