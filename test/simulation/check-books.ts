import { sql } from '#platform/database/database.ts';
import type { TestApp } from '#test/harness.ts';

/** Counts of what must not be, by the name of the rule that is broken. All are 0. */
export type BrokenRules = Readonly<Record<string, number>>;

/**
 * Counts, over everything that is stored, what breaks a rule of paid reads: money without a read or a debt, a read without money or allowance,
 * journals that do not balance, shares that are not 75 %, quotas that differ from the reads, and allowances that are exceeded.
 */
export function countBrokenRules(app: TestApp): Promise<BrokenRules> {
  return app.sql.one(sql<BrokenRules>`
    select
      (select count(*) from (
        select from ledger_postings group by holder_id, journal_id having sum(amount) <> 0) as wrong)::int as unbalanced_journals,
      (select count(*) from payment_claims where state = 'recorded'
        and (select count(*) from reads where claim_id = payment_claims.id) <> 1)::int as recorded_claims_without_one_read,
      (select count(*) from reads where payment_type <> 'allowance' and not exists (
        select from payment_claims where id = claim_id and state = 'recorded' and amount_micro = gross_micros))::int as reads_without_money,
      (select count(*) from payment_claims where state = 'recorded' and (select count(*) from ledger_journals
        where kind = 'read' and claim_id = payment_claims.id) <> 1)::int as recorded_claims_without_one_journal,
      (select count(*) from payment_claims where state = 'refused' and (select count(*) from ledger_journals
        where kind = 'refund' and claim_id = payment_claims.id) <> 1)::int as refused_claims_without_one_debt,
      (select count(*) from ledger_journals where kind in ('read', 'refund') and not exists (
        select from payment_claims where id = claim_id
          and state = case kind when 'read' then 'recorded' else 'refused' end))::int as journals_without_a_claim,
      (select count(*) from reads where member_micros <> gross_micros * 7500 / 10000)::int as wrong_shares,
      (select count(*) from (
        select org_id, (created_at at time zone 'UTC')::date as day, count(*) as read_count from reads group by 1, 2) as made
        full join query_counts using (org_id, day)
        where made.read_count is distinct from query_counts.read_count)::int as quotas_that_differ_from_reads,
      (select count(*) from query_counts join organisations on id = org_id
        where read_count > case tier when 'E1 Explorer' then 100 else 500 end)::int as exceeded_quotas,
      (select count(*) from (
        select org_id, count(*) as read_count from reads where payment_type = 'allowance' group by 1) as free
        full join query_allowances using (org_id)
        where free.read_count is distinct from query_allowances.read_count)::int as allowances_that_differ_from_reads,
      (select count(*) from query_allowances join organisations on id = org_id
        where read_count > case tier when 'E1 Explorer' then 5 else 10 end)::int as exceeded_allowances,
      (select abs(
        (select coalesce(sum(member_micros), 0) from reads) + (select coalesce(sum(amount), 0) from ledger_postings
          join ledger_journals using (holder_id) where ledger_journals.id = journal_id and kind = 'read' and account = 'member_income')))::int
        as income_that_differs_from_reads`);
}
