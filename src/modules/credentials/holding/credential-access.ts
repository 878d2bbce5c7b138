import type { SignedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Credential } from '../store.ts';

/** Those who may see a record: its member, and platform administrators. */
export type CredentialCaller = Extract<SignedInCaller, { role: 'member' | 'platform_admin' }>;

/** Passes a credential on to those who may see it. @throws Refusal `credential_not_found`, also for somebody else's. */
export function requireCredentialAccess(
  caller: CredentialCaller,
  credential: Credential | undefined,
): Credential {
  const mayKnow =
    credential && (caller.role === 'platform_admin' || caller.member_id === credential.member_id);
  if (!mayKnow) throw new Refusal('credential_not_found');
  return credential;
}
