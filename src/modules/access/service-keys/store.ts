import type { Role } from '#lib/caller.ts';
import { emptySql, sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { PublicKey, ServiceKey } from './rules.ts';

/** The columns of a key as its type has them. */
export const columns = sql`service_keys.id, service_keys.org_id, service_keys.user_id, name, permissions, networks,
  case when key_hash is null then 'public_key' else 'secret' end as kind, hint, created_at, expires_at, last_used_at, previous_until`;

/** Adds a key: by its hash, or as a public key. */
export async function insertKey(
  tx: Transaction,
  key: Pick<
    ServiceKey,
    'id' | 'org_id' | 'user_id' | 'name' | 'permissions' | 'networks' | 'hint' | 'created_at' | 'expires_at'
  > & { readonly key_hash: Buffer | null; readonly public_key: PublicKey | null },
): Promise<ServiceKey> {
  const {
    id,
    org_id,
    user_id,
    name,
    permissions,
    networks,
    hint,
    key_hash,
    public_key,
    created_at,
    expires_at,
  } = key;
  const jwk = public_key && JSON.stringify(public_key);
  return tx.one(sql<ServiceKey>`
    insert into service_keys (id, org_id, user_id, name, permissions, networks, hint, key_hash, public_key, created_at, expires_at)
    values (${id}, ${org_id}, ${user_id}, ${name}, ${permissions}, ${networks}, ${hint}, ${key_hash}, ${jwk}, ${created_at}, ${expires_at})
    returning ${columns}`);
}

/** What a key presented is known by. */
type Presented = { readonly key_hash: Buffer; readonly now: Date };

/** Whether a key is the one with this hash, or was until a rotation whose overlap has not ended. */
const hasHash = ({ key_hash, now }: Presented) =>
  sql`(key_hash = ${key_hash} or previous_hash = ${key_hash} and previous_until > ${now})`;

/** A key, and what its user may do now. */
export type OpenKey = ServiceKey & { readonly role: Role };

/** A suspension of the organisation or its user stops the key; so does the removal of the user from the organisation. */
const openAccounts = sql`join open_accounts on open_accounts.user_id = service_keys.user_id and open_accounts.org_id = service_keys.org_id
  where not exists (select from suspended_organisations where suspended_organisations.id = service_keys.org_id)`;

export const open = sql`from service_keys ${openAccounts}`;

/** The key with a hash that is accepted now, also by the hash before its last rotation. */
export function findOpenKey(db: Reader, presented: Presented): Promise<OpenKey | undefined> {
  return db.find(sql<OpenKey>`select ${columns}, role ${open} and ${hasHash(presented)}`);
}

/** The keys with some hashes that are accepted now, each with the hash by which it was found. */
export function listOpenKeys(
  db: Reader,
  { hashes, now }: { readonly hashes: readonly Buffer[]; readonly now: Date },
): Promise<(OpenKey & { readonly presented_hash: Buffer })[]> {
  return db.list(sql<OpenKey & { readonly presented_hash: Buffer }>`
    select ${columns}, role, presented_hash
    from (
      select id as found_id, key_hash as presented_hash from service_keys where key_hash = any(${hashes}::bytea[])
      union all
      select id, previous_hash from service_keys where previous_hash = any(${hashes}::bytea[]) and previous_until > ${now}
    ) as found
    join service_keys on service_keys.id = found_id ${openAccounts}`);
}

/** Stores when keys were used. */
export async function updateLastUses(db: Executor, ids: readonly string[], now: Date): Promise<void> {
  await db.run(sql`
    update service_keys set last_used_at = ${now}
    where id = any(${ids}::uuid[]) and (last_used_at is null or last_used_at < ${now})`);
}

export type KeyPlace = readonly [created_at: string, id: string];

/** Lists the keys of an organisation, newest first. */
export function listKeys(
  db: Reader,
  org_id: string,
  after: KeyPlace | undefined,
  limit: number,
): Promise<ServiceKey[]> {
  const from = after ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  return db.list(sql<ServiceKey>`
    select ${columns} from service_keys where org_id = ${org_id} ${from}
    order by created_at desc, id desc limit ${limit}`);
}

export function countKeys(db: Reader, org_id: string): Promise<number> {
  return db.count(sql<{ count: number }>`select count(*) from service_keys where org_id = ${org_id}`);
}

/** Gives a key of an organisation another secret and user; the current one is accepted until `previous_until`. */
export function replaceHash(
  tx: Transaction,
  { id, org_id }: Pick<ServiceKey, 'id' | 'org_id'>,
  change: Pick<ServiceKey, 'user_id' | 'hint' | 'expires_at' | 'previous_until'> & {
    readonly key_hash: Buffer;
  },
): Promise<ServiceKey | undefined> {
  const { user_id, hint, key_hash, expires_at, previous_until } = change;
  return tx.find(sql<ServiceKey>`
    update service_keys set previous_hash = key_hash, previous_until = ${previous_until}, key_hash = ${key_hash}, hint = ${hint},
      user_id = ${user_id}, expires_at = ${expires_at}
    where id = ${id} and org_id = ${org_id} and key_hash is not null returning ${columns}`);
}

/** Gives a key of an organisation another public key and user; the current one is accepted until `previous_until`. */
export function replacePublicKey(
  tx: Transaction,
  { id, org_id }: Pick<ServiceKey, 'id' | 'org_id'>,
  change: Pick<ServiceKey, 'user_id' | 'hint' | 'expires_at' | 'previous_until'> & {
    readonly public_key: PublicKey;
  },
): Promise<ServiceKey | undefined> {
  const { user_id, hint, public_key, expires_at, previous_until } = change;
  return tx.find(sql<ServiceKey>`
    update service_keys set previous_public_key = public_key, previous_until = ${previous_until}, public_key = ${JSON.stringify(public_key)}, hint = ${hint},
      user_id = ${user_id}, expires_at = ${expires_at}
    where id = ${id} and org_id = ${org_id} and public_key is not null returning ${columns}`);
}

/** Deletes a key of an organisation. @returns how many there were. */
export function deleteKey(
  tx: Transaction,
  { id, org_id }: Pick<ServiceKey, 'id' | 'org_id'>,
): Promise<number> {
  return tx.run(sql`delete from service_keys where id = ${id} and org_id = ${org_id}`);
}

/** Deletes the keys that act for a user of an organisation. @returns their ids. */
export async function deleteKeysOfUser(
  tx: Transaction,
  { org_id, user_id }: Pick<ServiceKey, 'org_id' | 'user_id'>,
): Promise<readonly string[]> {
  const rows = await tx.list(sql<{ id: string }>`
    delete from service_keys where org_id = ${org_id} and user_id = ${user_id} returning id`);
  return rows.map(({ id }) => id);
}

/** Deletes the key that is accepted by a hash, in whichever organisation. @returns the key, or undefined. */
export function deleteKeyByHash(
  tx: Transaction,
  presented: Presented,
): Promise<Pick<ServiceKey, 'id' | 'org_id'> | undefined> {
  return tx.find(sql<Pick<ServiceKey, 'id' | 'org_id'>>`
    delete from service_keys where ${hasHash(presented)} returning id, org_id`);
}

/** Deletes keys that expired before a time. @returns how many. */
export function deleteExpiredKeys(db: Executor, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from service_keys where id in (select id from service_keys where expires_at < ${before} limit ${limit})`);
}
