import type { LoggedInCaller } from '#lib/caller.ts';
import type { ApiRow } from '#lib/api-row.ts';

/** A key by which a program calls the API. The key itself is stored as a hash only. */
export type ServiceKey = {
  readonly id: string;
  /** The organisation to which it belongs; null for a key of the platform, which belongs to its administrators. */
  readonly org_id: string | null;
  /** The administrator who created or last rotated it, for whom it acts. It ends with that person's account there. */
  readonly user_id: string;
  readonly name: string;
  /** The rows of the API that it may call, such as `GET /orgs/me/jobs`. */
  readonly permissions: readonly string[];
  /** The networks from which it is accepted; empty for all. */
  readonly networks: readonly string[];
  /** Whether the program sends the key itself, or signs assertions with the private key of a public one. */
  readonly kind: 'secret' | 'public_key';
  /** The last characters of the key, by which people recognise it. */
  readonly hint: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly last_used_at: Date | null;
  /** Until when the key before the last rotation is accepted as well. */
  readonly previous_until: Date | null;
};

/** The members of a public key (RFC 7517) that make it what it is: those of its kind. */
export type PublicKey = {
  readonly kty: 'EC' | 'OKP' | 'RSA';
  readonly crv?: 'P-256' | 'Ed25519';
  readonly x?: string;
  readonly y?: string;
  readonly n?: string;
  readonly e?: string;
};

/** How many keys an organisation, or the platform, may have. */
export const service_keys_max = 50;

const day_ms = 86_400_000;

/** When a key expires that is created or rotated now. */
export function computeKeyExpiry(now: Date, expiry_days: number): Date {
  return new Date(now.getTime() + expiry_days * day_ms);
}

/** Until when the key before a rotation is accepted as well; null: not at all. */
export function computeOverlapEnd(now: Date, overlap_seconds: number): Date | null {
  return overlap_seconds === 0 ? null : new Date(now.getTime() + overlap_seconds * 1000);
}

/** Names the email about a key to the administrators of its organisation or of the platform. */
export function nameNotice(org_id: ServiceKey['org_id'], act: 'created' | 'reported') {
  return org_id === null ? (`operator_key_${act}` as const) : (`service_key_${act}` as const);
}

/** The roles that make keys: each key acts for one of their users. */
export type KeyMaker = Extract<LoggedInCaller['role'], 'org_admin' | 'platform_admin'>;

/**
 * Lists the rows that a key may be permitted: those that an administrator may call who makes it, apart from what only a person may do. These are the rows
 * of one's own account, emails and answers about the culture, those that need a recent authentication, and the answer to a human review, which says that a person has looked.
 */
export function listPermissibleRows(rows: readonly ApiRow[], role: KeyMaker): readonly string[] {
  const permissible = rows.filter(
    ({ roles, path, needs_person }) => roles.includes(role) && !needs_person && !personal.test(path),
  );
  return [...new Set(permissible.map(({ name }) => name))];
}

const personal =
  /^\/(?:auth|oauth)\/|^\/orgs\/me\/notifications$|^\/orgs\/me\/culture-profile\/(?:draft|responses)$|\/review\/answer$/;
