import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { invitationUpdated } from './events.ts';
import type { Invitation } from './rules.ts';
import { updateState } from './store.ts';

/** Stores what became of an invitation, and sends the event. Every end but an acceptance deletes the address. @returns the invitation as stored. */
export async function moveInvitation(
  { now, queue }: Pick<Services, 'now' | 'queue'>,
  tx: Transaction,
  invitation: Invitation,
  { state, member_id }: Pick<Invitation, 'state' | 'member_id'>,
): Promise<Invitation> {
  const email_sealed = state === 'accepted' ? invitation.email_sealed : null;
  const moved = { ...invitation, state, member_id, email_sealed, updated_at: now() };
  await updateState(tx, moved);
  const { id: invitation_id, job_id, org_id, external_ref } = moved;
  await queue.emit(tx, invitationUpdated, { invitation_id, job_id, org_id, status: state, external_ref });
  return moved;
}
