import { sql, type Transaction } from '#platform/database/database.ts';

/** Suspends the member's account and ends its sessions; @returns those that had not ended. */
export async function updateAccountClosed(
  tx: Transaction,
  member_id: string,
  now: Date,
): Promise<readonly string[]> {
  // First the account: a login that is under way holds it, and starts a session that the second statement sees, or finds it suspended.
  await tx.run(
    sql`update users set suspended_at = coalesce(suspended_at, ${now}) where member_id = ${member_id}`,
  );
  const rows = await tx.list(sql<{ id: string }>`
    update sessions set revoked_at = ${now}
    where revoked_at is null and user_id in (select id from users where member_id = ${member_id}) returning id`);
  return rows.map(({ id }) => id);
}
