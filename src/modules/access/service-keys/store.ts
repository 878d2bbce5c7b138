import type { Role } from '#lib/caller.ts';
import {
  emptySql,
  sql,
  type Executor,
  type Reader,
  type Transaction,
  type Change,
  type ChangePlace,
} from '#platform/database/database.ts';
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

/** Lets one transaction at a time add a key of the platform. */
export async function lockPlatformKeys(tx: Transaction): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('service_keys.platform', 0))`);
}

/** What a key presented is known by. */
type Presented = { readonly key_hash: Buffer; readonly now: Date };

/** Whether a key is the one with this hash, or was until a rotation whose overlap has not ended. */
const hasHash = ({ key_hash, now }: Presented) =>
  sql`(key_hash = ${key_hash} or previous_hash = ${key_hash} and previous_until > ${now})`;

/** A key, what its user may do now, and until when it is accepted if it was replaced. */
export type OpenKey = ServiceKey & { readonly role: Role; readonly replaced_at: Date | null };

/** A suspension of the organisation or its user stops the key; so does the removal of the user from the organisation. A key of the platform needs one of its administrators. */
const openAccounts = sql`join open_accounts on open_accounts.user_id = service_keys.user_id
    and (open_accounts.org_id = service_keys.org_id or service_keys.org_id is null and open_accounts.role = 'platform_admin')
  where not exists (select from suspended_organisations where suspended_organisations.id = service_keys.org_id)`;

export const open = sql`from service_keys ${openAccounts}`;

/** Whether a key belongs to an organisation or, with null, to the platform. */
const isOf = (org_id: ServiceKey['org_id']) =>
  org_id === null ? sql`org_id is null` : sql`org_id = ${org_id}`;

/** The key with a hash that is accepted now, also by the hash before its last rotation. */
export function findOpenKey(db: Reader, presented: Presented): Promise<OpenKey | undefined> {
  return db.find(sql<OpenKey>`
    select ${columns}, role, case when key_hash = ${presented.key_hash} then null else previous_until end as replaced_at
    ${open} and ${hasHash(presented)}`);
}

/** Stores when keys were used. */
export async function updateLastUses(db: Executor, ids: readonly string[], now: Date): Promise<void> {
  await db.run(sql`
    update service_keys set last_used_at = ${now}
    where id = any(${ids}::uuid[]) and (last_used_at is null or last_used_at < ${now})`);
}

export type KeyPlace = readonly [created_at: string, id: string];

/** Lists the keys of an organisation or the platform, newest first. */
export function listKeys(
  db: Reader,
  org_id: ServiceKey['org_id'],
  after: KeyPlace | undefined,
  limit: number,
): Promise<ServiceKey[]> {
  const from = after ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  return db.list(sql<ServiceKey>`
    select ${columns} from service_keys where ${isOf(org_id)} ${from}
    order by created_at desc, id desc limit ${limit}`);
}

/** Finds a key of an organisation or the platform. */
export function findKey(
  db: Reader,
  { id, org_id }: Pick<ServiceKey, 'id' | 'org_id'>,
): Promise<ServiceKey | undefined> {
  return db.find(sql<ServiceKey>`select ${columns} from service_keys where id = ${id} and ${isOf(org_id)}`);
}

export function countKeys(db: Reader, org_id: ServiceKey['org_id']): Promise<number> {
  return db.count(sql<{ count: number }>`select count(*) from service_keys where ${isOf(org_id)}`);
}

/** Gives a key another secret and user; the current one is accepted until `previous_until`. */
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
    where id = ${id} and ${isOf(org_id)} and key_hash is not null returning ${columns}`);
}

/** Gives a key another public key and user; the current one is accepted until `previous_until`. */
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
    where id = ${id} and ${isOf(org_id)} and public_key is not null returning ${columns}`);
}

/** Deletes a key of an organisation or the platform. @returns how many there were. */
export function deleteKey(
  tx: Transaction,
  { id, org_id }: Pick<ServiceKey, 'id' | 'org_id'>,
): Promise<number> {
  return tx.run(sql`delete from service_keys where id = ${id} and ${isOf(org_id)}`);
}

/** Deletes the keys that act for a user of an organisation. @returns their ids. */
export async function deleteKeysOfUser(
  tx: Transaction,
  { org_id, user_id }: Pick<ServiceKey, 'user_id'> & { readonly org_id: string },
): Promise<readonly string[]> {
  const rows = await tx.list(sql<{ id: string }>`
    delete from service_keys where org_id = ${org_id} and user_id = ${user_id} returning id`);
  return rows.map(({ id }) => id);
}

/** Deletes the key that is accepted by a hash, of any organisation or the platform. @returns the key, or undefined. */
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

/** Lists which keys changed. Triggers write it. */
export function listKeyChanges(db: Reader, after: ChangePlace, limit: number): Promise<Change[]> {
  return db.list(sql<Change>`
    select xid::text as xid, service_key_id as id, changed_at as at from service_key_changes
    where (xid, service_key_id) > (${after.xid}::xid8, ${after.id}::uuid) order by service_key_changes.xid, service_key_id limit ${limit}`);
}

/** Deletes at most `limit` changes that are older than this, by the clock of the database. @returns how many were deleted. */
export function deleteOldKeyChanges(db: Executor, older_than_s: number, limit: number): Promise<number> {
  return db.run(sql`
    delete from service_key_changes where (xid, service_key_id) in (
      select xid, service_key_id from service_key_changes
      where changed_at < now() - make_interval(secs => ${older_than_s}::float8) limit ${limit})`);
}
