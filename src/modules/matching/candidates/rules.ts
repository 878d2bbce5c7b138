import { computeSecondsUntil } from '#lib/wait-window.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Organisation } from '#modules/organisations/orgs';

/** Where an invitation is. What a person does without answering, such as opening the email, is not recorded. */
export const invitationStates = [
  'sent',
  'accepted',
  'declined',
  'withdrawn',
  'expired',
  'cancelled',
] as const;

export type InvitationState = (typeof invitationStates)[number];

/** Applicant tracking systems in which an organisation can invite people, and to which their result goes. */
export const partners = ['greenhouse', 'ashby'] as const;

export type Partner = (typeof partners)[number];

/** An invitation of a person to a job of an organisation. */
export type Invitation = {
  readonly id: string;
  readonly org_id: string;
  readonly job_id: string;
  /** Null once the invitation has ended otherwise than by an acceptance. */
  readonly email_sealed: Buffer | null;
  readonly email_hash: Buffer | null;
  readonly state: InvitationState;
  /** The member who accepted; null after the erasure. The organisation does not read it. */
  readonly member_id: string | null;
  /** What a program of the organisation noted. The person does not read it. */
  readonly external_ref: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** The system that asked for it, and that gets the tier of the match of somebody who takes part; null for all others. */
  readonly partner: Partner | null;
  readonly created_at: Date;
  readonly sent_at: Date;
  readonly expires_at: Date;
  readonly updated_at: Date;
};

const day_ms = 86_400_000;

/** How long an invitation can be answered after its last email. */
export const invitation_days = 14;

/** How many invitations to a job are kept at the same time. */
export const invitations_a_job_max = 500;

/** The least time between two emails to one address about one job. */
const resend_wait_ms = day_ms;

/** How many invitations an organisation of each tier can send in 24 hours. */
export const invitationLimits: Readonly<Record<Organisation['tier'], number>> = {
  'E1 Explorer': 25,
  'E2 Builder': 100,
  'E3 Operator': 500,
  partner: 2_000,
};

/** The time at which an invitation that is sent now expires. */
export function computeExpiry(now: Date): Date {
  return new Date(now.getTime() + invitation_days * day_ms);
}

/** The status as it is read: an invitation expires by its date, and an acceptance ends with the account of its member. */
export function computeStatus(
  { state, expires_at, member_id }: Pick<Invitation, 'state' | 'expires_at' | 'member_id'>,
  now: Date,
): InvitationState {
  if (state === 'sent' && expires_at <= now) return 'expired';
  return state === 'accepted' && member_id === null ? 'withdrawn' : state;
}

/** Checks that another email about the same job may go to the same address. @throws Refusal `candidate_emailed_today`, with the seconds until it may. */
export function checkLastEmail({ sent_at }: Pick<Invitation, 'sent_at'>, now: Date): void {
  const wait_s = computeSecondsUntil(new Date(sent_at.getTime() + resend_wait_ms), now);
  if (wait_s > 0)
    throw new Refusal('candidate_emailed_today', { headers: { 'retry-after': String(wait_s) } });
}

/**
 * Seconds until an organisation may send another invitation; 0 if it may now.
 *
 * @param oldest When the email was sent that would be the first one beyond the limit, counted from the newest; undefined if there are fewer.
 */
export function computeLimitWaitSeconds(oldest: Date | undefined, now: Date): number {
  return oldest ? computeSecondsUntil(new Date(oldest.getTime() + day_ms), now) : 0;
}

/**
 * Checks that an address may be invited to a job, given the latest invitation of the same.
 *
 * @throws Refusal `invitation_exists` if it can still be answered or was accepted; `candidate_declined` if the person has said no;
 *   `candidate_emailed_today`.
 */
export function checkLatest(latest: Invitation | undefined, now: Date): void {
  if (!latest) return;
  const status = computeStatus(latest, now);
  if (status === 'sent' || status === 'accepted') throw new Refusal('invitation_exists');
  if (status === 'declined' || status === 'withdrawn') throw new Refusal('candidate_declined');
  checkLastEmail(latest, now);
}

/** What a person can answer. `stop` declines, and asks for no further invitations from the organisation. */
export const decisions = ['accept', 'decline', 'stop'] as const;

export type Decision = (typeof decisions)[number];

type AnsweredState = Extract<InvitationState, 'accepted' | 'declined' | 'withdrawn'>;

/**
 * Decides what an answer leads to; undefined if it changes nothing, so that a repeated request succeeds. A person who has accepted withdraws by
 * declining.
 *
 * @param member_id The member who answers; undefined for somebody who has only the link.
 * @throws Refusal `candidate_invitation_closed` if the invitation can no longer have this answer; `authentication_required` for an acceptance without an account.
 */
export function decideAnswer(
  invitation: Pick<Invitation, 'state' | 'expires_at' | 'member_id'>,
  decision: Decision,
  { member_id, now }: { readonly member_id: string | undefined; readonly now: Date },
): AnsweredState | undefined {
  const status = computeStatus(invitation, now);
  const isOwn = status === 'accepted' && invitation.member_id === member_id;
  if (decision === 'accept') {
    if (member_id === undefined) throw new Refusal('authentication_required');
    if (status === 'sent') return 'accepted';
    if (isOwn) return undefined;
  } else {
    if (status === 'sent') return 'declined';
    if (isOwn) return 'withdrawn';
    // Somebody who has only the link can end the emails, and not what a member has accepted.
    if (decision === 'stop' || status !== 'accepted') return undefined;
  }
  throw new Refusal('candidate_invitation_closed', { detail: `The invitation is ${status}.` });
}

/**
 * Checks that the organisation may cancel an invitation. @returns false if that has happened already.
 *
 * @throws Refusal `candidate_invitation_closed` if it was answered or has expired.
 */
export function decideCancelling(
  invitation: Pick<Invitation, 'state' | 'expires_at' | 'member_id'>,
  now: Date,
): boolean {
  const status = computeStatus(invitation, now);
  if (status === 'cancelled') return false;
  if (status === 'sent') return true;
  throw new Refusal('candidate_invitation_closed', { detail: `The invitation is ${status}.` });
}
