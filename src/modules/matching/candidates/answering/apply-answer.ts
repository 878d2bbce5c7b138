import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { moveInvitation } from '../move-invitation.ts';
import { decideAnswer, type Decision, type Invitation } from '../rules.ts';
import { insertStop } from '../store.ts';
import type { ReceivedInvitation } from '../wire.ts';
import { requireReceived } from './read-invitation.ts';

/** A member who answers, or somebody who has only the link. */
export type Answerer = Extract<Context['caller'], { readonly role: 'member' }> | undefined;

/**
 * Stores the answer to an invitation that is locked. Accepting says that the person takes part, and nothing else: it is no consent, and no
 * match follows that the consents and the rules of matching would not give.
 *
 * @throws Refusal `authentication_required`, `candidate_invitation_closed`, `candidate_invitation_not_found`, `job_closed`.
 */
export async function applyAnswer(
  context: Pick<Context, 'config' | 'now' | 'queue'>,
  tx: Transaction,
  invitation: Invitation | undefined,
  { decision, member }: { readonly decision: Decision; readonly member: Answerer },
): Promise<ReceivedInvitation> {
  const received = await requireReceived(context, tx, invitation);
  const answered = invitation!;
  const now = context.now();
  const { org_id, email_hash, id: invitation_id } = answered;
  const state = decideAnswer(answered, decision, { member_id: member?.member_id, now });
  if (state === 'accepted' && !received.job_is_open) throw new Refusal('job_closed');
  if (decision === 'stop' && email_hash) await insertStop(tx, { org_id, email_hash, now });
  if (state === undefined) return received;
  // An acceptance that was withdrawn stays with its member until it is deleted, so that their list has it.
  const member_id = state === 'declined' ? null : (member?.member_id ?? null);
  const moved = await moveInvitation(context, tx, answered, { state, member_id });
  // Two entries, so that the readers of the organisation's log do not learn which member answered.
  const detail = { invitation_id };
  await recordAudit(tx, { ...acts[state], now, actor: null, org_id, detail });
  if (member)
    await recordAudit(tx, { ...acts[state], now, actor: member, member_id: member.member_id, detail });
  return { ...received, status: state, updated_at: moved.updated_at.toISOString() };
}

/** The words of the console are tested by the literal acts. */
const acts = {
  accepted: { action: 'candidates.accepted' },
  declined: { action: 'candidates.declined' },
  withdrawn: { action: 'candidates.withdrawn' },
} as const;
