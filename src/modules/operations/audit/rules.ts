import { orgRoles, type Role, type LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';

/** The names of all facts that entries may have. The console has a word for each. */
export type AuditFact =
  | 'achievement_id'
  | 'active_kid'
  | 'added'
  | 'address'
  | 'allow_idp_initiated'
  | 'attestation_tier'
  | 'before'
  | 'board_id'
  | 'category'
  | 'certificates'
  | 'choice'
  | 'client_id'
  | 'configuration'
  | 'consent_type'
  | 'count'
  | 'credential_id'
  | 'credential_type'
  | 'data_type'
  | 'default_role'
  | 'delivery_id'
  | 'domain'
  | 'email_domains'
  | 'enabled'
  | 'factor'
  | 'failure_id'
  | 'fields'
  | 'finding_id'
  | 'format'
  | 'from'
  | 'grant_id'
  | 'group_id'
  | 'invitation_id'
  | 'invitations_cancelled'
  | 'is_late'
  | 'issuer'
  | 'job_id'
  | 'journal_id'
  | 'kid'
  | 'left'
  | 'left_out'
  | 'match_id'
  | 'members'
  | 'organisation_id'
  | 'offer_id'
  | 'outcome'
  | 'partner'
  | 'passkey_id'
  | 'pattern'
  | 'payment_type'
  | 'payout_id'
  | 'placed_at'
  | 'placed_at_before'
  | 'purpose'
  | 'reference'
  | 'reason'
  | 'removed'
  | 'respondents'
  | 'retried'
  | 'review_id'
  | 'revoked_key_id'
  | 'role'
  | 'role_before'
  | 'service_key_id'
  | 'session_id'
  | 'sessions_ended'
  | 'spend_cap'
  | 'stage_days'
  | 'statements'
  | 'subscription_id'
  | 'task'
  | 'task_id'
  | 'tier'
  | 'to'
  | 'tool'
  | 'tools'
  | 'user_id'
  | 'verified_by'
  | 'version'
  | 'wallet_id'
  | 'year';

/** Further facts of an entry: flat, short, and without names, addresses or secrets. */
export type AuditDetail = Readonly<Partial<Record<AuditFact, string | number | boolean | null>>>;

/** One entry of the audit log. */
export type AuditEntry = {
  readonly id: string;
  /** `module.what_happened`. */
  readonly action: string;
  /** Null for the operator, the service itself, and a member who was erased. */
  readonly actor_user_id: string | null;
  /** The actor's role at that time; null for the operator and the service itself. */
  readonly actor_role: Role | null;
  /** The member whom the act concerned. */
  readonly member_id: string | null;
  readonly org_id: string | null;
  readonly detail: AuditDetail;
  readonly created_at: Date;
};

/** The part of the log that a reader may see. */
export type AuditReach =
  | { readonly of: 'member'; readonly member_id: string; readonly user_id: string }
  | { readonly of: 'organisation'; readonly org_id: string }
  | { readonly of: 'everybody' };

/** The roles that may read the log. */
export const auditReaders = ['member', 'org_admin', 'auditor', 'platform_admin'] as const;

export type AuditReader = Extract<LoggedInCaller, { role: (typeof auditReaders)[number] }>;

/** Members read entries about themselves, users of an organisation those about it, and platform administrators all entries. */
export function buildReach(caller: AuditReader): AuditReach {
  if (caller.role === 'platform_admin') return { of: 'everybody' };
  if (caller.role === 'member') return { of: 'member', member_id: caller.member_id, user_id: caller.user_id };
  return { of: 'organisation', org_id: caller.org_id };
}

/** The entries that a reader asks for: of one action, at or after `since` and before `until`, by one actor, or about one subject. */
export type AuditFilter = {
  readonly action?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly actor_user_id?: string | undefined;
  readonly member_id?: string | undefined;
  readonly org_id?: string | undefined;
};

/**
 * Refuses a filter on a field that is hidden from the reader: the matching entries would reveal its value.
 *
 * @throws Refusal `role_not_allowed`.
 */
export function checkFilter({ of }: AuditReach, filter: AuditFilter): void {
  if (of === 'everybody') return;
  const hidden = (['member_id', 'org_id', 'actor_user_id'] as const).filter(
    (name) => filter[name] !== undefined && !(of === 'organisation' && name === 'actor_user_id'),
  );
  if (hidden.length > 0)
    throw new Refusal('role_not_allowed', { detail: `Your role may not filter by ${hidden.join(' and ')}.` });
}

/** The ids of actor and member, as far as a reader may see them. */
export type VisibleIds = Pick<AuditEntry, 'actor_user_id' | 'member_id'>;

/**
 * A member sees the organisation and the role behind each act, but no user id except the member's own: employees are not named to customers.
 * Readers of an organisation see the ids of its users but no member ids: entries about paid reads must not reveal whose data was bought.
 */
export function computeVisibleIds(
  reach: AuditReach,
  { actor_user_id, actor_role, member_id }: AuditEntry,
): VisibleIds {
  if (reach.of === 'everybody') return { actor_user_id, member_id };
  if (reach.of === 'member')
    return { actor_user_id: actor_user_id === reach.user_id ? actor_user_id : null, member_id };
  return {
    actor_user_id: orgRoles.some((role) => role === actor_role) ? actor_user_id : null,
    member_id: null,
  };
}
