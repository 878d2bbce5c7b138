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

/** Lists paid reads that say another price or another share of the member than their journal. */
export function listReadsWithOtherAmounts(db: Reader, { first, last }: Part): Promise<Found[]> {
  return db.list(sql<Found>`
    select reads.id, 'the read says ' || gross_micros || ' and ' || member_micros || ', its journal ' || gross || ' and ' || part as detail
    from (
      select member_id, journal_id, coalesce(sum(amount) filter (where account in ('cash_mock', 'cash_chain')), 0) as gross,
        coalesce(-sum(amount) filter (where account = 'member_income'), 0) as part
      from journal_amounts where member_id between ${first} and ${last} group by member_id, journal_id
    ) as posted join reads on reads.member_id = posted.member_id and reads.journal_id = posted.journal_id
    where reads.member_id between ${first} and ${last} and (gross <> gross_micros or part <> member_micros)
    limit ${faults_max}`);
}

/** Lists payments that have a result, but no read of the same amount. Those about erased members no longer say whose read it was. */
export function listPaymentsWithoutRead(db: Reader, { first, last }: Part): Promise<Found[]> {
  return db.list(sql<Found>`
    select ended_claims.id, 'recorded, ' || amount_micro || ' micro-units' as detail
    from ended_claims left join reads on reads.member_id = ended_claims.member_id and claim_id = ended_claims.id
    where ended_claims.member_id between ${first} and ${last} and state = 'recorded' and gross_micros is distinct from amount_micro
    limit ${faults_max}`);
}

/** Lists payments that were refused after they had arrived, but that the ledger does not owe back. */
export function listPaymentsWithoutRefund(db: Reader, { first, last }: Part): Promise<Found[]> {
  return db.list(sql<Found>`
    select ended_claims.id, 'refused, ' || amount_micro || ' micro-units' as detail
    from ended_claims left join refund_journals on refund_journals.org_id = ended_claims.org_id and claim_id = ended_claims.id
    where ended_claims.org_id between ${first} and ${last} and state = 'refused' and claim_id is null
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
