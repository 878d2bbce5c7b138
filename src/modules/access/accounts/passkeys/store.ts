import {
  findBrokenConstraint,
  sql,
  type Executor,
  type Reader,
  type Transaction,
} from '#platform/database/database.ts';
import { Refusal } from '#lib/refusal.ts';
import { passkeyResource, type Passkey } from './resource.ts';

const { columns } = passkeyResource;

/** Adds a passkey. @throws Refusal `passkey_known` if an account has it already. */
export async function insertPasskey(tx: Transaction, passkey: Passkey): Promise<void> {
  const statement = sql`insert into passkeys ${passkeyResource.insert(passkey)}`;
  await tx.run(statement).catch((error: unknown) => {
    if (findBrokenConstraint(error) === 'passkeys_credential_id_key') throw new Refusal('passkey_known');
    throw error;
  });
}

/** The passkeys of a user, oldest first. */
export function listUserPasskeys(db: Reader, user_id: string): Promise<readonly Passkey[]> {
  return db.list(
    sql<Passkey>`select ${columns} from passkeys where user_id = ${user_id} order by created_at, id`,
  );
}

/** The passkey with the id that its authenticator chose, or undefined. */
export function findPasskey(db: Reader, credential_id: Buffer): Promise<Passkey | undefined> {
  return db.find(sql<Passkey>`select ${columns} from passkeys where credential_id = ${credential_id}`);
}

/** Locks a passkey of a user against changes; undefined if the user has no such passkey. */
export function lockPasskey(
  tx: Transaction,
  { id, user_id }: Pick<Passkey, 'id' | 'user_id'>,
): Promise<Passkey | undefined> {
  return tx.find(sql<Passkey>`
    select ${columns} from passkeys where id = ${id} and user_id = ${user_id} for no key update`);
}

/** Records the use of a passkey. The caller must hold its lock. */
export async function updatePasskeyUse(
  tx: Transaction,
  { id, sign_count, synced, now }: Pick<Passkey, 'id' | 'sign_count' | 'synced'> & { readonly now: Date },
): Promise<void> {
  await tx.run(sql`
    update passkeys set sign_count = ${sign_count}, synced = ${synced}, last_used_at = ${now} where id = ${id}`);
}

/** Gives a passkey another name. The caller must hold its lock. */
export function updatePasskeyName(tx: Transaction, id: string, name: string): Promise<Passkey> {
  return tx.one(sql<Passkey>`update passkeys set name = ${name} where id = ${id} returning ${columns}`);
}

/** Deletes a passkey of a user. @returns 0 if the user has no such passkey, otherwise 1. */
export function deletePasskey(
  tx: Transaction,
  { id, user_id }: Pick<Passkey, 'id' | 'user_id'>,
): Promise<number> {
  return tx.run(sql`delete from passkeys where id = ${id} and user_id = ${user_id}`);
}

/** Stores that a challenge was answered. @returns 0 if it was answered before, otherwise 1. Only one of several concurrent answers succeeds. */
export function insertUsedChallenge(
  tx: Transaction,
  challenge_hash: Buffer,
  expires_at: Date,
): Promise<number> {
  return tx.run(sql`
    insert into used_challenges (challenge_hash, expires_at) values (${challenge_hash}, ${expires_at}) on conflict do nothing`);
}

/** Deletes at most `limit` answered challenges that have expired. @returns how many were deleted. */
export function deleteExpiredChallenges(db: Executor, now: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from used_challenges where challenge_hash in (
      select challenge_hash from used_challenges where expires_at < ${now} limit ${limit})`);
}
