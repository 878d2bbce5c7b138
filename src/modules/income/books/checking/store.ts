import type { Micros } from '#lib/money.ts';
import { sql, type Reader } from '#platform/database/database.ts';
import type { Account } from '../journals/rules.ts';
import type { Slice } from '../journals/slices.ts';
import type { BookFault } from './rules.ts';

/** At most this many faults of one kind are listed of a slice. */
const faults_max = 100;

/** A fault, without its code. */
export type Found = Pick<BookFault, 'id' | 'detail'>;

/** Adds up the postings of each account, over the holders of a slice. */
export async function sumAccounts(
  db: Reader,
  { first, last }: Slice,
): Promise<readonly { readonly account: Account; readonly balance: Micros }[]> {
  const rows = await db.list(sql<{ account: Account; balance: string }>`
    select account, sum(amount)::text as balance from ledger_postings
    where holder_id between ${first} and ${last} group by account`);
  return rows.map(({ account, balance }) => ({ account, balance: BigInt(balance) }));
}

/** Lists journals whose postings do not sum to zero. */
export function listUnbalancedJournals(db: Reader, { first, last }: Slice): Promise<Found[]> {
  return db.list(sql<Found>`
    select journal_id as id, 'by ' || sum(amount) as detail
    from ledger_postings where holder_id between ${first} and ${last}
    group by holder_id, journal_id having sum(amount) <> 0 limit ${faults_max}`);
}

/** Lists journals without postings. */
export function listEmptyJournals(db: Reader, { first, last }: Slice): Promise<Found[]> {
  return db.list(sql<Found>`
    select id, kind as detail from ledger_journals
    where holder_id between ${first} and ${last} and not exists (
      select from ledger_postings
      where ledger_postings.holder_id = ledger_journals.holder_id and journal_id = ledger_journals.id)
    limit ${faults_max}`);
}

/** Lists journals of reads in which the member has another share than the stored one, rounded down, of what was paid. */
export function listWrongShares(db: Reader, { first, last }: Slice): Promise<Found[]> {
  return db.list(sql<Found>`
    select id, 'the member has ' || part || ' of ' || gross || ' at ' || share_bps || ' basis points' as detail
    from (
      select ledger_journals.id, share_bps,
        coalesce(-sum(amount) filter (where account = 'member_income'), 0) as part,
        coalesce(sum(amount) filter (where account in ('cash_mock', 'cash_chain', 'balance_in_use')), 0) as gross
      from ledger_journals join ledger_postings
        on ledger_postings.holder_id = ledger_journals.holder_id and journal_id = ledger_journals.id
      where kind = 'read' and ledger_journals.holder_id between ${first} and ${last}
        and ledger_postings.holder_id between ${first} and ${last} group by ledger_journals.holder_id, ledger_journals.id
    ) as sold where part <> div(gross * share_bps, 10000) limit ${faults_max}`);
}

/** Lists checkpoints that are not the sum of what they stand for. */
export function listWrongCheckpoints(db: Reader, { first, last }: Slice): Promise<Found[]> {
  return db.list(sql<Found>`
    select holder_id as id,
      'income ' || income_micros || ' instead of ' || income || ', paid ' || paid_micros || ' instead of ' || paid as detail
    from (
      select holder_id, income_micros, paid_micros,
        (select coalesce(sum(-amount), 0) from ledger_postings
          where ledger_postings.holder_id = kept.holder_id and account = 'member_income' and available_at <= until) as income,
        (select coalesce(sum(amount_micros), 0) from payouts
          where payouts.holder_id = kept.holder_id and status = 'paid' and ended_at <= until) as paid
      from ledger_checkpoints as kept where holder_id between ${first} and ${last}
    ) as compared where income <> income_micros or paid <> paid_micros limit ${faults_max}`);
}

/**
 * Lists payouts whose journals do not say the same as their row: one in progress has its amount in progress, one that has ended has nothing there, and only
 * one that was paid has a settlement.
 */
export function listWrongPayouts(db: Reader, { first, last }: Slice): Promise<Found[]> {
  return db.list(sql<Found>`
    select id, status || ', in progress: ' || in_progress || ', settlements: ' || settlements as detail
    from (
      select payouts.id, status, amount_micros, coalesce(-sum(amount), 0) as in_progress,
        count(*) filter (where ledger_journals.kind = 'settlement') as settlements
      from payouts
        left join ledger_journals on ledger_journals.holder_id = payouts.holder_id and payout_id = payouts.id
        left join ledger_postings on ledger_postings.holder_id = payouts.holder_id and journal_id = ledger_journals.id
          and account = 'payouts_in_progress'
      where payouts.holder_id between ${first} and ${last} group by payouts.holder_id, payouts.id
    ) as payout
    where in_progress <> case when status in ('requested', 'sending') then amount_micros else 0 end
      or settlements <> case status when 'paid' then 1 else 0 end
    limit ${faults_max}`);
}

/** Lists payouts that have been in progress since before a time. */
export function listStuckPayouts(db: Reader, before: Date): Promise<BookFault[]> {
  return db.list(sql<BookFault>`
    select 'payout_stuck' as code, id, status || ' since ' || to_char(requested_at at time zone 'UTC', 'FMDD FMMonth YYYY "at" HH24:MI "UTC"') as detail
    from payouts where status in ('requested', 'sending') and requested_at < ${before} order by requested_at limit ${faults_max}`);
}

/** Adds up what may already have left by transactions whose outcome is not posted yet. */
export async function sumSentOnChain(db: Reader): Promise<Micros> {
  const { sent } = await db.one(sql<{ sent: string }>`
    select coalesce(sum(amount_micros), 0)::text as sent from payouts where rail = 'chain' and status = 'sending'`);
  return BigInt(sent);
}

/** When the books of a slice last changed by something on the chain; empty if nothing did. */
export async function listChainTimes(db: Reader, { first, last }: Slice): Promise<{ readonly at: Date }[]> {
  const { at } = await db.one(sql<{ at: Date | null }>`
    select greatest(
      (select max(posted_at) from ledger_journals
        where holder_id between ${first} and ${last} and kind in ('read', 'refund') and rail in ('transfer', 'x402')),
      (select max(ended_at) from payouts
        where holder_id between ${first} and ${last} and rail = 'chain' and status = 'paid')) as at`);
  return at === null ? [] : [{ at }];
}

/** Lists paid reads whose journal is not in the ledger, or says something else. */
export function listReadsWithoutJournal(db: Reader, { first, last }: Slice): Promise<Found[]> {
  return db.list(sql<Found>`
    select reads.id, payment_type || ' of ' || to_char(created_at at time zone 'UTC', 'FMDD FMMonth YYYY') as detail
    from reads left join ledger_journals as journals
      on journals.holder_id = reads.member_id and journals.id = reads.journal_id and journals.kind = 'read'
    where reads.member_id between ${first} and ${last} and payment_type <> 'allowance'
      and (journals.read_id is distinct from reads.id or journals.payment_id is distinct from reads.payment_id)
    limit ${faults_max}`);
}

/** Lists paid reads that say another price or another share of the member than their journal. */
export function listReadsWithOtherAmounts(db: Reader, { first, last }: Slice): Promise<Found[]> {
  return db.list(sql<Found>`
    select reads.id, 'the read says ' || gross_micros || ' and ' || member_micros || ', its journal ' || gross || ' and ' || part as detail
    from (
      select holder_id, journal_id, coalesce(sum(amount) filter (where account in ('cash_mock', 'cash_chain', 'balance_in_use')), 0) as gross,
        coalesce(-sum(amount) filter (where account = 'member_income'), 0) as part
      from ledger_postings where holder_id between ${first} and ${last} group by holder_id, journal_id
    ) as posted join reads on reads.member_id = posted.holder_id and reads.journal_id = posted.journal_id
    where reads.member_id between ${first} and ${last} and (gross <> gross_micros or part <> member_micros)
    limit ${faults_max}`);
}

/** Lists payments that have a result, but no read of the same amount. Those about erased members no longer say whose read it was. */
export function listPaymentsWithoutRead(db: Reader, { first, last }: Slice): Promise<Found[]> {
  return db.list(sql<Found>`
    select ended_payments.id, 'recorded, ' || amount_micros || ' micro-units' as detail
    from ended_payments left join reads on reads.member_id = ended_payments.member_id and payment_id = ended_payments.id
    where ended_payments.member_id between ${first} and ${last} and state = 'recorded' and gross_micros is distinct from amount_micros
    limit ${faults_max}`);
}

/** Lists payments that were refused after they had arrived, but that the ledger does not owe back. */
export function listPaymentsWithoutRefund(db: Reader, { first, last }: Slice): Promise<Found[]> {
  return db.list(sql<Found>`
    select ended_payments.id, 'refused, ' || amount_micros || ' micro-units' as detail
    from ended_payments left join ledger_journals as journals
      on journals.holder_id = ended_payments.org_id and journals.payment_id = ended_payments.id and journals.kind = 'refund'
    where ended_payments.org_id between ${first} and ${last} and state = 'refused' and journals.id is null
    limit ${faults_max}`);
}

/** Lists journals of reads that were not recorded. */
export function listJournalsWithoutRead(db: Reader, { first, last }: Slice): Promise<Found[]> {
  return db.list(sql<Found>`
    select journals.id, 'read ' || read_id as detail from ledger_journals as journals
    where holder_id between ${first} and ${last} and kind = 'read'
      and not exists (select from reads where reads.member_id = journals.holder_id and reads.id = journals.read_id)
    limit ${faults_max}`);
}

/** Adds up the payments from balances whose read is not made yet. */
export async function sumUnreadPayments(db: Reader): Promise<Micros> {
  const { unread } = await db.one(sql<{ unread: string }>`
    select coalesce(sum(amount_micros), 0)::text as unread from balance_payments where state = 'settled'`);
  return BigInt(unread);
}

/** Lists payments from balances that were not charged once with their amount, and charges without a payment. */
export function listWrongCharges(db: Reader, { first, last }: Slice): Promise<Found[]> {
  return db.list(sql<Found>`
    select coalesce(paid.id, charged.payment_id) as id,
      'the payment says ' || coalesce(paid.amount_micros, 0) || ', the charge ' || coalesce(charged.amount, 0) as detail
    from (select id, amount_micros from balance_payments where org_id between ${first} and ${last}) as paid
    full join (
      select payment_id, sum(amount) as amount from ledger_journals join ledger_postings
        on ledger_postings.holder_id = ledger_journals.holder_id and journal_id = ledger_journals.id
      where kind = 'charge' and account = 'prepaid_balance' and ledger_journals.holder_id between ${first} and ${last}
        and ledger_postings.holder_id between ${first} and ${last} group by payment_id
    ) as charged on charged.payment_id = paid.id
    where paid.amount_micros is distinct from charged.amount limit ${faults_max}`);
}

/** Lists balances that are not the sum of their postings, or whose statement does not end with them. */
export function listWrongBalances(db: Reader, { first, last }: Slice): Promise<Found[]> {
  return db.list(sql<Found>`
    select coalesce(kept.org_id, posted.holder_id) as id, 'the balance is ' || coalesce(kept.balance_micros, 0) || ', its postings have '
      || coalesce(posted.balance, 0) || ', its ' || coalesce(entered.count, 0) || ' lines have ' || coalesce(entered.balance, 0) as detail
    from (select org_id, balance_micros, entry_count from prepaid_balances where org_id between ${first} and ${last}) as kept
    full join (
      select holder_id, -sum(amount) as balance from ledger_postings
      where holder_id between ${first} and ${last} and account = 'prepaid_balance' group by holder_id
    ) as posted on posted.holder_id = kept.org_id
    full join (
      select org_id, sum(amount_micros) as balance, count(*) as count from balance_entries
      where org_id between ${first} and ${last} group by org_id
    ) as entered on entered.org_id = kept.org_id
    where coalesce(kept.balance_micros, 0) <> coalesce(posted.balance, 0) or coalesce(kept.balance_micros, 0) <> coalesce(entered.balance, 0)
      or coalesce(kept.entry_count, 0) <> coalesce(entered.count, 0)
    limit ${faults_max}`);
}
