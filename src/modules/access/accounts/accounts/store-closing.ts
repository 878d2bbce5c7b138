import { sql, type Transaction } from '#platform/database/database.ts';

/** Suspends the member's account and ends its sessions. @returns the ids of the sessions that were open. */
export async function endAccountAccess(
  tx: Transaction,
  member_id: string,
  now: Date,
): Promise<readonly string[]> {
  // Waits for a running login, which locks the account: either the second statement sees its session, or it finds the account suspended.
  await tx.run(
    sql`update users set suspended_at = coalesce(suspended_at, ${now}) where member_id = ${member_id}`,
  );
  const rows = await tx.list(sql<{ id: string }>`
    update sessions set revoked_at = ${now}
    where revoked_at is null and user_id in (select id from users where member_id = ${member_id}) returning id`);
  return rows.map(({ id }) => id);
}
