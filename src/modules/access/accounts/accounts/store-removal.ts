import { sql, type Transaction } from '#platform/database/database.ts';

type Removal = { readonly user_id: string; readonly password_hash: string; readonly now: Date };

/** Empties an account and ends its sessions. @returns the ids of the sessions that were open. */
export async function clearAccount(
  tx: Transaction,
  { user_id, password_hash, now }: Removal,
): Promise<readonly string[]> {
  // The host of the placeholder has no dot, so it is not a valid email address and cannot conflict with that of another account.
  // Waits for a running login, which locks the account: either the later statements see its session, or it finds the account removed.
  await tx.run(sql`
    update users set email = id::text || '@removed', handle = null, handle_skeleton = null, password_hash = ${password_hash}, email_verified_at = null, display_name = null,
      access_version = access_version + 1, suspended_at = coalesce(suspended_at, ${now}), removed_at = ${now}
    where id = ${user_id}`);
  const open = await tx.list(sql<{ id: string }>`
    select id from sessions where user_id = ${user_id} and revoked_at is null`);
  await tx.run(sql`
    delete from refresh_tokens where session_id in (select id from sessions where user_id = ${user_id})`);
  await tx.run(sql`
    update sessions set revoked_at = coalesce(revoked_at, ${now}), address = '', user_agent = null where user_id = ${user_id}`);
  await tx.run(sql`delete from mailed_tokens where user_id = ${user_id}`);
  await tx.run(sql`delete from mfa_tickets where user_id = ${user_id}`);
  await tx.run(sql`delete from recovery_codes where user_id = ${user_id}`);
  await tx.run(sql`delete from authenticators where user_id = ${user_id}`);
  await tx.run(sql`delete from passkeys where user_id = ${user_id}`);
  return open.map(({ id }) => id);
}

/**
 * Deletes the rows of at most `limit` accounts that were removed before `horizon`, except those of members, which their erasure deletes.
 *
 * @returns how many were deleted.
 */
export async function deleteRemovedAccounts(tx: Transaction, horizon: Date, limit: number): Promise<number> {
  const removed = await tx.list(sql<{ id: string }>`
    select id from users where removed_at < ${horizon} and member_id is null order by removed_at limit ${limit} for update skip locked`);
  const ids = removed.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await tx.run(sql`delete from sessions where user_id = any(${ids}::uuid[])`);
  return tx.run(sql`delete from users where id = any(${ids}::uuid[])`);
}
