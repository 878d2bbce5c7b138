import { readOutsideValue } from '#lib/outside-values.ts';
import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Organisation } from '../resource.ts';

/** Says whether the operator has suspended an organisation. */
export async function isSuspendedOrganisation(db: Reader, id: string): Promise<boolean> {
  const found = await db.find(sql`select from suspended_organisations where id = ${id}`);
  return found !== undefined;
}

/** Lists the organisations that were suspended after `since` and still are, the latest first. */
export async function listSuspendedOrganisations(
  db: Reader,
  since: Date,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.list(sql<{ id: string }>`
    select id from organisations where suspended_at > ${since} order by suspended_at desc limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** Reads whether an organisation is suspended, and prevents that this changes until the transaction ends. Undefined if the organisation does not exist. */
export function lockStanding(
  tx: Transaction,
  id: string,
): Promise<Pick<Organisation, 'suspended_at'> | undefined> {
  return tx.find(sql<Pick<Organisation, 'suspended_at'>>`select suspended_at from hold_standing(${id})`);
}

/**
 * Locks an organisation for the operator, against everything that {@link lockStanding} protects, and then its row: nobody who holds the standing waits for
 * this transaction while it waits for them. Compares ids as text, so that a malformed id counts as not found.
 */
export function lockForSuspension(
  tx: Transaction,
  id: string,
): Promise<Pick<Organisation, 'id' | 'suspended_at'> | undefined> {
  const given = readOutsideValue('id', id);
  void tx.runAhead(
    sql`select pg_advisory_xact_lock(hashtextextended('orgs.standing:' || ${given}::text, 0))`,
  );
  return tx.find(sql<Pick<Organisation, 'id' | 'suspended_at'>>`
    select id, suspended_at from organisations where id::text = ${given} for update`);
}

/** Suspends an organisation, or ends the suspension with null. */
export async function updateSuspension(
  tx: Transaction,
  id: string,
  suspended_at: Date | null,
): Promise<void> {
  await tx.run(sql`update organisations set suspended_at = ${suspended_at} where id = ${id}`);
}
