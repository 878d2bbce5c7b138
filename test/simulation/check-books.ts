import { sql } from '#platform/database/database.ts';
import type { TestApp } from '#test/harness.ts';

/** Counts of what must not be, by the name of the rule that is broken. All are 0. */
export type BrokenRules = Readonly<Record<string, number>>;

/**
 * Counts, over everything that is stored, what breaks a rule of paid reads: money without a read or a debt, a read without money or allowance,
 * journals that do not balance, shares that are not 75 %, quotas that differ from the reads, and allowances that are exceeded.
 */
export function countBrokenRules(app: TestApp): Promise<BrokenRules> {
  // A distributed database joins tables of different keys only after it has read each as a whole.
  return app.sql.one(sql<BrokenRules>`
    with
      reads as materialized (select * from reads), payments as materialized (select * from payments),
      ledger_journals as materialized (select * from ledger_journals), ledger_postings as materialized (select * from ledger_postings),
      prepaid_balances as materialized (select * from prepaid_balances), read_counts as materialized (select * from read_counts),
      read_allowances as materialized (select * from read_allowances), organisations as materialized (select * from organisations),
      paid as (select payment_id, count(*) as count, sum(gross_micros) as gross from reads where payment_id is not null group by 1),
      posted as (select payment_id, kind, count(*) as count from ledger_journals where kind in ('read', 'refund') group by 1, 2),
      sums as (select sum(amount) as sum from ledger_postings group by holder_id, journal_id),
      made as (
        select org_id, (created_at at time zone 'UTC')::date as day, count(*) as read_count,
          count(*) filter (where payment_type = 'allowance') as free_count
        from reads group by 1, 2),
      free as (select org_id, sum(free_count) as read_count from made group by 1 having sum(free_count) > 0)
    select
      (select count(*) from sums where sum <> 0)::int as unbalanced_journals,
      (select count(*) from payments left join paid on payment_id = id
        where state = 'recorded' and (count is distinct from 1 or gross is distinct from amount_micros))::int
        as recorded_claims_without_one_read_of_the_same_amount,
      (select count(*) from prepaid_balances where balance_micros < 0)::int as negative_balances,
      (select abs((select coalesce(sum(balance_micros), 0) from prepaid_balances) + coalesce(sum(amount), 0))
        from ledger_postings where account = 'prepaid_balance')::int as balances_that_differ_from_the_books,
      (select abs((select coalesce(sum(amount_micros), 0) from payments where rail = 'balance' and state = 'settled') + coalesce(sum(amount), 0))
        from ledger_postings where account = 'balance_in_use')::int as stray_money_of_balances,
      (select count(*) from paid left join payments on id = payment_id and state = 'recorded' where id is null)::int
        as reads_without_money,
      (select count(*) from payments left join posted on payment_id = id and kind = 'read'
        where state = 'recorded' and count is distinct from 1)::int as recorded_claims_without_one_journal,
      (select count(*) from payments left join posted on payment_id = id and kind = 'refund'
        where state = 'refused' and count is distinct from 1)::int as refused_claims_without_one_debt,
      (select count(*) from posted
        left join payments on id = payment_id and state = case kind when 'read' then 'recorded' else 'refused' end
        where id is null)::int as journals_without_a_claim,
      (select count(*) from reads where member_micros <> gross_micros * 7500 / 10000)::int as wrong_shares,
      (select count(*) from made full join read_counts using (org_id, day)
        where coalesce(made.read_count, 0) <> coalesce(read_counts.read_count, 0))::int as quotas_that_differ_from_reads,
      (select count(*) from read_counts join organisations on id = org_id
        where read_count > case tier when 'E1 Explorer' then 100 else 500 end)::int as exceeded_quotas,
      (select count(*) from free full join read_allowances using (org_id)
        where free.read_count is distinct from read_allowances.read_count)::int as allowances_that_differ_from_reads,
      (select count(*) from read_allowances join organisations on id = org_id
        where read_count > case tier when 'E1 Explorer' then 5 else 10 end)::int as exceeded_allowances,
      (select abs((select coalesce(sum(member_micros), 0) from reads) + coalesce(sum(amount), 0))
        from ledger_postings join ledger_journals on ledger_journals.holder_id = ledger_postings.holder_id and id = journal_id
        where kind = 'read' and account = 'member_income')::int as income_that_differs_from_reads`);
}
