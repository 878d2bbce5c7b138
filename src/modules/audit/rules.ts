import { orgRoles, type Role, type SignedInCaller } from '#lib/caller.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';

/** What an entry may say besides who, what and whom: flat, short, and without names, addresses and secrets. */
export type AuditDetail = Readonly<Record<string, string | number | boolean | null>>;

/** One entry of the audit log. */
export type AuditEntry = {
  readonly id: string;
  /** `module.what_happened`. */
  readonly action: string;
  /** Null: the operator, the service itself, or somebody who was erased. */
  readonly actor_user_id: string | null;
  /** The actor's role at that time; null: the operator or the service itself. */
  readonly actor_role: Role | null;
  /** Whom it was done to. */
  readonly member_id: string | null;
  readonly org_id: string | null;
  readonly detail: AuditDetail;
  readonly created_at: Date;
};

/** Whose entries a reader sees. */
export type AuditReach =
  | { readonly of: 'member'; readonly member_id: string; readonly user_id: string }
  | { readonly of: 'organisation'; readonly org_id: string }
  | { readonly of: 'everybody' };

/** The roles that read the log. */
export const auditReaders = ['member', 'org_admin', 'auditor', 'platform_admin'] as const;

export type AuditReader = Extract<SignedInCaller, { role: (typeof auditReaders)[number] }>;

/** A member reads about themselves, an organisation's people about their organisation, a platform administrator everything. */
export function buildReach(caller: AuditReader): AuditReach {
  if (caller.role === 'platform_admin') return { of: 'everybody' };
  if (caller.role === 'member') return { of: 'member', member_id: caller.member_id, user_id: caller.user_id };
  return { of: 'organisation', org_id: caller.org_id };
}

/** Which entries a reader asks for: of one action, of a time from `since` on and before `until`, by one actor, about somebody. */
export type AuditFilter = {
  readonly action?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly actor_user_id?: string | undefined;
  readonly member_id?: string | undefined;
  readonly org_id?: string | undefined;
};

/**
 * Refuses a filter by what the reader does not see in the entries: page by page it would tell all the same.
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

/** What a reader sees of who acted, and upon whom. */
export type VisibleIds = Pick<AuditEntry, 'actor_user_id' | 'member_id'>;

/**
 * The member sees the organisation and the role behind each act, and no user but the own one: employees are not named to customers. Who
 * reads for an organisation sees its own people, and no member: entries about paid reads must not tell whose data was bought.
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

/** The instant of a time in a request. @throws Refusal `field_invalid` for one that no calendar has, such as a leap second. */
export function parseTime(pointer: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw createFieldRefusal('field_invalid', pointer, 'must be a time that exists');
  return time;
}
