import type { SignedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Credential } from '../store.ts';

/** The callers who may see a credential: its member and platform administrators. */
export type CredentialCaller = Extract<SignedInCaller, { role: 'member' | 'platform_admin' }>;

/** Returns a credential that the caller may see. @throws Refusal `credential_not_found`, also for another member's credential. */
export function requireCredentialAccess(
  caller: CredentialCaller,
  credential: Credential | undefined,
): Credential {
  const maySee =
    credential && (caller.role === 'platform_admin' || caller.member_id === credential.member_id);
  if (!maySee) throw new Refusal('credential_not_found');
  return credential;
}
