import type { LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Reader, Transaction } from '#platform/database/database.ts';
import {
  findCredential,
  findCredentialKey,
  lockCredential,
  type Credential,
  type CredentialKey,
} from '../store.ts';

/** The callers who may see a credential: its member and platform administrators. */
export type CredentialCaller = Extract<LoggedInCaller, { role: 'member' | 'platform_admin' }>;

/** Finds a credential that the caller may see. @throws Refusal `credential_not_found`, even for another member's credential. */
export async function findCallerCredential(
  caller: CredentialCaller,
  db: Reader,
  id: string,
): Promise<Credential> {
  const key = await findCallerKey(caller, db, id);
  return requireCredential(key && (await findCredential(db, key)));
}

/** Locks a credential that the caller may see against changes. @throws Refusal `credential_not_found`, even for another member's. */
export async function lockCallerCredential(
  caller: CredentialCaller,
  tx: Transaction,
  id: string,
): Promise<Credential> {
  const key = await findCallerKey(caller, tx, id);
  return requireCredential(key && (await lockCredential(tx, key)));
}

/** A member may see only the member's own, and an administrator does not know whose a credential is. */
async function findCallerKey(
  caller: CredentialCaller,
  db: Reader,
  id: string,
): Promise<CredentialKey | undefined> {
  return caller.role === 'member' ? { id, member_id: caller.member_id } : findCredentialKey(db, id);
}

function requireCredential(credential: Credential | undefined): Credential {
  if (!credential) throw new Refusal('credential_not_found');
  return credential;
}
