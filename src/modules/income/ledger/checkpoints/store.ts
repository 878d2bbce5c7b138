import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Slice } from '../checking/slices.ts';

type Wanted = { readonly until: Date; readonly least_postings: number; readonly limit: number };

/** Lists holders of a slice with at least so many postings of income until a time that no checkpoint has. */
export async function listHoldersToCheckpoint(
  db: Reader,
  { first, last }: Slice,
  { until, least_postings, limit }: Wanted,
): Promise<string[]> {
  const rows = await db.list(sql<{ holder_id: string }>`
    select ledger_postings.holder_id
    from ledger_postings left join ledger_checkpoints as kept on kept.holder_id = ledger_postings.holder_id
    where ledger_postings.holder_id between ${first} and ${last} and account = 'member_income'
      and available_at > coalesce(kept.until, '-infinity') and available_at <= ${until}
    group by ledger_postings.holder_id having count(*) >= ${least_postings} limit ${limit}`);
  return rows.map(({ holder_id }) => holder_id);
}

/** Adds everything of a holder that is available until a time to the holder's checkpoint. Waits for transactions that are posting for the holder. */
export async function keepCheckpoint(tx: Transaction, holder_id: string, until: Date): Promise<void> {
  await tx.run(sql`select checkpoint_ledger(${holder_id}, ${until})`);
}
