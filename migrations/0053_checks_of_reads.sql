-- What the check of the books compares besides the ledger itself (docs/ledger.md).

create view journal_amounts as
  select holder_id as member_id, journal_id, account, amount from ledger_postings;
create view refund_journals as
  select holder_id as org_id, claim_id from ledger_journals where kind = 'refund';
-- Payments that have ended. The member is null after an erasure.
create view ended_claims as
  select id, org_id, member_id, state, amount_micro from payment_claims where state in ('recorded', 'refused');
