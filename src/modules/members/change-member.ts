import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Event, Services } from '#platform/platform.ts';
import { memberChanged, memberDeployed, memberUndeployed } from './events.ts';
import { isDeployed, type AssessmentPhase, type EngagementFacts, type Member } from './rules.ts';
import { lockMember, updateMember } from './store.ts';

/** What a change of a member needs besides its transaction. */
type ChangeContext = Pick<Services, 'queue'>;

/** Keeps that the member's e-mail address is theirs. */
export async function recordEmailVerified(
  context: ChangeContext,
  tx: Transaction,
  member_id: string,
): Promise<void> {
  await changeMember(context, tx, member_id, { email_verified: true });
}

/** Keeps what the member has just granted or withdrawn. Hold the consent record in the same transaction, and add it after this call. */
export async function recordConsentFact(
  context: ChangeContext,
  tx: Transaction,
  member_id: string,
  consent_type: string,
  granted: boolean,
): Promise<void> {
  await changeMember(context, tx, member_id, buildConsentFact(consent_type, granted));
}

/** Keeps how far the member's assessment is. */
export async function recordAssessmentPhase(
  context: ChangeContext,
  tx: Transaction,
  member_id: string,
  assessment_phase: AssessmentPhase,
): Promise<void> {
  await changeMember(context, tx, member_id, { assessment_phase });
}

/** Marks the member's account for deletion: nobody is deployed any more, and nothing of the member is sold. */
export async function recordDeletionRequest(
  context: ChangeContext,
  tx: Transaction,
  member_id: string,
): Promise<void> {
  await changeMember(context, tx, member_id, { account_status: 'pending_deletion' });
}

/** Keeps that the member's account is suspended, or active again; an account that is marked for deletion stays so. */
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
 * Changes a member, and emits `member.deployed` or `member.undeployed` when that crosses level 4, and `member.changed` when it changes what
 * jobs ask of somebody who is there. The row is locked first, so that of two changes at once the second sees the first, and the crossing
 * is told exactly once.
 *
 * @throws Refusal `member_not_found`.
 */
export async function changeMember(
  { queue }: ChangeContext,
  tx: Transaction,
  member_id: string,
  change: Partial<EngagementFacts>,
): Promise<Member> {
  const before = await lockMember(tx, member_id);
  if (!before) throw new Refusal('member_not_found');
  const after = { ...before, ...change };
  await updateMember(tx, after);
  const event = findChangeEvent(before, after);
  if (event) await queue.emit(tx, event, { member_id });
  return after;
}

function findChangeEvent(before: Member, after: Member): Event<{ member_id: string }> | undefined {
  if (isDeployed(before) !== isDeployed(after)) return isDeployed(after) ? memberDeployed : memberUndeployed;
  const asked = ['years_experience', 'education_level', 'location_country', 'location_state'] as const;
  return isDeployed(after) && asked.some((field) => before[field] !== after[field])
    ? memberChanged
    : undefined;
}

/** Only two types of consent decide the engagement level; a change of another one still waits its turn at the member's lock. */
function buildConsentFact(consent_type: string, granted: boolean): Partial<EngagementFacts> {
  if (consent_type === 'assessment_data') return { assessment_consented: granted };
  return consent_type === 'matching' ? { matching_consented: granted } : {};
}
