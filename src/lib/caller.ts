import { Refusal } from './refusal.ts';

/** The roles of the specification. The `who` of each operation lists the roles that may call it. */
export const roles = ['member', 'org_admin', 'org_viewer', 'auditor', 'platform_admin'] as const;

export type Role = (typeof roles)[number];

/** The roles of users who act for an organisation. */
export const orgRoles = ['org_admin', 'org_viewer', 'auditor'] as const satisfies readonly Role[];

export type OrgRole = (typeof orgRoles)[number];

/** What an agent may do that acts for a user: only what the user has allowed it. */
export type CallerGrant = {
  readonly grant_id: string;
  readonly client_id: string;
  /** The names of the tools that both the token and the grant have. */
  readonly tools: ReadonlySet<string>;
  /** The names of the tools that the client asked for and the user did not allow, or has taken away. */
  readonly refused_tools: ReadonlySet<string>;
};

/** What a program may do that calls by a service key of its organisation or of the platform. */
export type CallerKey = {
  readonly service_key_id: string;
  /** The rows of the API that the key is permitted, as `GET /auth/me`. */
  readonly rows: ReadonlySet<string>;
  /** The networks from which the key is accepted; empty for all. */
  readonly networks: readonly string[];
};

/** Says whether users of a role act for an organisation. */
export function isOrgRole(role: Role): role is OrgRole {
  return orgRoles.some((each) => each === role);
}

type Session = {
  readonly user_id: string;
  readonly session_id: string;
  /** When the user last proved who they are: at the login, or by POST /auth/reauthenticate. */
  readonly authenticated_at: Date;
  /** Set if the user passed MFA in this session. Known of platform administrators only, who need it in production. */
  readonly by_mfa?: true;
  /** Set if an agent acts for the user, by a capability token. Its calls are limited to the tools. */
  readonly grant?: CallerGrant;
  /** Set if a program calls by a service key. Its calls are limited to the rows. */
  readonly service_key?: CallerKey;
};

/** A caller who is logged in: a member, a user of an organisation, or a platform administrator. */
export type LoggedInCaller =
  | (Session & { readonly role: 'member'; readonly member_id: string })
  | (Session & { readonly role: 'org_admin'; readonly org_id: string })
  | (Session & { readonly role: 'org_viewer'; readonly org_id: string })
  | (Session & { readonly role: 'auditor'; readonly org_id: string })
  | (Session & { readonly role: 'platform_admin' });

export type AnonymousCaller = { readonly role: 'anonymous' };

/** The sender of a request. */
export type Caller = AnonymousCaller | LoggedInCaller;

export const anonymousCaller: AnonymousCaller = { role: 'anonymous' };

/** How old an authentication may be for changes by which a stolen access token could take or destroy the account. */
const recent_authentication_seconds = 900;

/**
 * Requires that the user proved within the last 15 minutes who they are.
 *
 * @throws Refusal `recent_authentication_required`.
 */
export function requireRecentAuthentication(session: Session, now: Date): void {
  if (!hasRecentAuthentication(session, now)) throw new Refusal('recent_authentication_required');
}

/** Checks whether the user proved within the last 15 minutes who they are. */
export function hasRecentAuthentication({ authenticated_at }: Session, now: Date): boolean {
  return now.getTime() - authenticated_at.getTime() <= recent_authentication_seconds * 1000;
}

/**
 * Requires that a platform administrator passed MFA. Who created or rotated a service key had to.
 *
 * @throws Refusal `mfa_required`.
 */
export function requireMfa({ role, by_mfa, service_key }: LoggedInCaller): void {
  if (role === 'platform_admin' && !by_mfa && !service_key) throw new Refusal('mfa_required');
}

/** Returns the id of the member or the organisation that the caller acts for, or null for a platform administrator. */
export function findLinkedEntityId(caller: LoggedInCaller): string | null {
  if (caller.role === 'member') return caller.member_id;
  return caller.role === 'platform_admin' ? null : caller.org_id;
}
