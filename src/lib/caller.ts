import { Refusal } from './refusal.ts';

/** The roles of the specification; who may do what is decided by each operation's `who`. */
export const roles = ['member', 'org_admin', 'org_viewer', 'auditor', 'platform_admin'] as const;

export type Role = (typeof roles)[number];

/** The roles of people who act for an organisation. */
export const orgRoles = ['org_admin', 'org_viewer', 'auditor'] as const satisfies readonly Role[];

export type OrgRole = (typeof orgRoles)[number];

type Session = {
  readonly user_id: string;
  readonly session_id: string;
  /** When the user last proved who they are: at the login, or by POST /auth/reauthenticate. */
  readonly authenticated_at: Date;
};

/** Somebody who signed in: a member, a person acting for an organisation, or a platform administrator. */
export type SignedInCaller =
  | (Session & { readonly role: 'member'; readonly member_id: string })
  | (Session & { readonly role: 'org_admin'; readonly org_id: string })
  | (Session & { readonly role: 'org_viewer'; readonly org_id: string })
  | (Session & { readonly role: 'auditor'; readonly org_id: string })
  | (Session & { readonly role: 'platform_admin' });

export type AnonymousCaller = { readonly role: 'anonymous' };

/** Who sends a request. */
export type Caller = AnonymousCaller | SignedInCaller;

export const anonymousCaller: AnonymousCaller = { role: 'anonymous' };

/** How old an authentication may be for changes by which a stolen access token could take or destroy the account. */
const recent_authentication_seconds = 900;

/**
 * Requires that the user proved within the last 15 minutes who they are.
 *
 * @throws Refusal `recent_authentication_required`.
 */
export function requireRecentAuthentication({ authenticated_at }: Session, now: Date): void {
  if (now.getTime() - authenticated_at.getTime() > recent_authentication_seconds * 1000)
    throw new Refusal('recent_authentication_required');
}

/** The member or organisation behind a caller, or null for a platform administrator. */
export function findLinkedEntityId(caller: SignedInCaller): string | null {
  if (caller.role === 'member') return caller.member_id;
  return caller.role === 'platform_admin' ? null : caller.org_id;
}
