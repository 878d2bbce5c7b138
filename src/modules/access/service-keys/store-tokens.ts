import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Role } from '#lib/caller.ts';
import type { PublicKey, ServiceKey } from './rules.ts';
import { columns, open, type OpenKey } from './store.ts';

/** A token for which a program has exchanged an assertion. The token itself is stored as a hash only. */
export type ServiceToken = {
  readonly token_hash: Buffer;
  readonly service_key_id: string;
  readonly assertion_hash: Buffer;
  readonly ends_at: Date;
};

/** Adds a token. @returns false if its assertion already has one, or its key was deleted. */
export async function insertToken(db: Executor, token: ServiceToken): Promise<boolean> {
  const { token_hash, service_key_id, assertion_hash, ends_at } = token;
  const inserted = await db.run(sql`
    insert into service_tokens (token_hash, service_key_id, assertion_hash, ends_at)
    select ${token_hash}, id, ${assertion_hash}, ${ends_at} from service_keys where id = ${service_key_id}
    on conflict (service_key_id, assertion_hash) do nothing`);
  return inserted > 0;
}

/** The key of a token that is accepted now. It ends with its token. */
export function findKeyByToken(db: Reader, token_hash: Buffer, now: Date): Promise<OpenKey | undefined> {
  return db.find(sql<OpenKey>`
    select service_keys.id, service_keys.org_id, service_keys.user_id, name, permissions, networks, 'public_key' as kind, hint, created_at,
      least(expires_at, (select ends_at from service_tokens where token_hash = ${token_hash})) as expires_at, last_used_at, previous_until, role, null::timestamptz as replaced_at
    ${open} and service_keys.id = (
      select service_key_id from service_tokens where token_hash = ${token_hash} and ends_at > ${now})`);
}

/** The public keys of a key that is accepted now: the current one, and until the end of a replacement the one before. */
export type OpenPublicKey = ServiceKey & {
  readonly role: Role;
  readonly public_key: PublicKey;
  readonly previous_public_key: PublicKey | null;
};

export function findOpenPublicKey(db: Reader, id: string, now: Date): Promise<OpenPublicKey | undefined> {
  return db.find(sql<OpenPublicKey>`
    select ${columns}, role, public_key, case when previous_until > ${now} then previous_public_key end as previous_public_key
    ${open} and service_keys.id = ${id} and public_key is not null and expires_at > ${now}`);
}

/** Ends the tokens of a key. */
export async function deleteTokens(tx: Transaction, service_key_id: string): Promise<void> {
  await tx.run(sql`delete from service_tokens where service_key_id = ${service_key_id}`);
}

/** Deletes at most `limit` tokens that ended before a time. @returns how many. */
export function deleteEndedTokens(db: Executor, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from service_tokens where token_hash in (
      select token_hash from service_tokens where ends_at < ${before} order by ends_at limit ${limit})`);
}
