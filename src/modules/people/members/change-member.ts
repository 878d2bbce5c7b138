import { isDeepStrictEqual } from 'node:util';
import { Refusal, requireFound } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Event, Services } from '#platform/platform.ts';
import { memberChanged, memberDeployed, memberUndeployed, memberWithdrawn } from './events.ts';
import { isDeployed, mayKeepMatches, type AssessmentPhase, type EngagementFacts } from './engagement.ts';
import type { Member } from './resource.ts';
import { lockMember, updateMember } from './store.ts';

/** What a change of a member needs besides its transaction. */
type ChangeContext = Pick<Services, 'queue'>;

/** Records that the member has verified their email address. */
export async function recordEmailVerified(
  context: ChangeContext,
  tx: Transaction,
  member_id: string,
): Promise<void> {
  await changeMember(context, tx, member_id, { email_verified: true });
}

/**
 * Records that the member grants or withdraws a consent. Call this before adding the consent record in the same transaction, because it
 * locks the member.
 */
export async function recordConsentFact(
  context: ChangeContext,
  tx: Transaction,
  member_id: string,
  consent_type: string,
  granted: boolean,
): Promise<void> {
  await changeMember(context, tx, member_id, buildConsentFact(consent_type, granted));
}

/** Records the phase of the member's assessment. */
export async function recordAssessmentPhase(
  context: ChangeContext,
  tx: Transaction,
  member_id: string,
  assessment_phase: AssessmentPhase,
): Promise<void> {
  await changeMember(context, tx, member_id, { assessment_phase });
}

/**
 * Marks the member's account for deletion. The member is no longer deployed, and none of their identity data is sold.
 *
 * @throws Refusal `account_suspended`: cancelling the deletion would otherwise end a suspension by the operator.
 */
export async function recordDeletionRequest(
  context: ChangeContext,
  tx: Transaction,
  member_id: string,
): Promise<void> {
  const member = await lockMember(tx, member_id);
  if (member?.account_status === 'suspended') throw new Refusal('account_suspended');
  await changeMember(context, tx, member_id, { account_status: 'pending_deletion' });
}

/** Marks a member for erasure whose account lost its address, whatever the status of the account. */
export async function recordDisplacement(
  context: ChangeContext,
  tx: Transaction,
  member_id: string,
): Promise<void> {
  await changeMember(context, tx, member_id, { account_status: 'pending_deletion' });
}

/** Records that the member's account is no longer marked for deletion. A member who meets the conditions of level 4 is deployed again. */
export async function recordDeletionCancelled(
  context: ChangeContext,
  tx: Transaction,
  member_id: string,
): Promise<void> {
  await changeMember(context, tx, member_id, { account_status: 'active' });
}

/** Suspends the member's account or activates it again. An account that is marked for deletion does not change. */
export async function recordMemberSuspension(
  context: ChangeContext,
  tx: Transaction,
  member_id: string,
  suspended: boolean,
): Promise<void> {
  const member = await lockMember(tx, member_id);
  if (member?.account_status === 'pending_deletion') return;
  await changeMember(context, tx, member_id, { account_status: suspended ? 'suspended' : 'active' });
}

/**
 * Changes a member. Emits `member.deployed` or `member.undeployed` when the change crosses level 4, `member.withdrawn` when a member below
 * it withdraws from matching, and `member.changed` when it changes a profile field of a deployed member that jobs constrain. The row is locked first, so that the second of two concurrent changes sees the
 * first and the event is emitted exactly once.
 *
 * @throws Refusal `member_not_found`.
 */
export async function changeMember(
  context: ChangeContext,
  tx: Transaction,
  member_id: string,
  change: Partial<EngagementFacts>,
): Promise<Member> {
  const before = requireFound(await lockMember(tx, member_id), 'member_not_found');
  return changeLockedMember(context, tx, before, change);
}

/** Like {@link changeMember}, for a member that the transaction has locked. */
export async function changeLockedMember(
  { queue }: ChangeContext,
  tx: Transaction,
  before: Member,
  change: Partial<EngagementFacts>,
): Promise<Member> {
  const after = { ...before, ...change };
  if (isDeepStrictEqual(before, after)) return before;
  updateMember(tx, after);
  const event = findChangeEvent(before, after);
  if (event) await queue.emit(tx, event, { member_id: before.id });
  return after;
}

function findChangeEvent(before: Member, after: Member): Event<{ member_id: string }> | undefined {
  if (isDeployed(before) !== isDeployed(after)) return isDeployed(after) ? memberDeployed : memberUndeployed;
  if (mayKeepMatches(before) && !mayKeepMatches(after)) return memberWithdrawn;
  const constrainedFields = [
    'years_experience',
    'education_level',
    'location_country',
    'location_state',
  ] as const;
  return isDeployed(after) && constrainedFields.some((field) => before[field] !== after[field])
    ? memberChanged
    : undefined;
}

/** Only two types of consent decide the engagement level. A decision on another type changes nothing here, but still locks the member. */
function buildConsentFact(consent_type: string, granted: boolean): Partial<EngagementFacts> {
  if (consent_type === 'assessment_data') return { assessment_consented: granted };
  return consent_type === 'matching' ? { matching_consented: granted } : {};
}
