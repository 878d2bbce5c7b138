import { sql, type Reader } from '#platform/database/database.ts';

/** At most this many faults of one kind are listed in a part. */
const faults_max = 100;

/** The first and the last id of a part of all ids. */
type Part = { readonly first: string; readonly last: string };

type Found = { readonly id: string; readonly detail: string };

/** Lists paid reads whose journal is not in the ledger, or says something else. */
export function listReadsWithoutJournal(db: Reader, { first, last }: Part): Promise<Found[]> {
  return db.list(sql<Found>`
    select reads.id, payment_type || ' of ' || to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as detail
    from reads left join read_journals on read_journals.member_id = reads.member_id and read_journals.journal_id = reads.journal_id
    where reads.member_id between ${first} and ${last} and payment_type <> 'allowance'
      and (read_journals.read_id is distinct from reads.id or read_journals.claim_id is distinct from reads.claim_id)
    limit ${faults_max}`);
}

/** Lists journals of reads that were not recorded. */
export function listJournalsWithoutRead(db: Reader, { first, last }: Part): Promise<Found[]> {
  return db.list(sql<Found>`
    select read_journals.journal_id as id, 'read ' || read_id as detail from read_journals
    where read_journals.member_id between ${first} and ${last}
      and not exists (select from reads where reads.member_id = read_journals.member_id and reads.id = read_id)
    limit ${faults_max}`);
}
