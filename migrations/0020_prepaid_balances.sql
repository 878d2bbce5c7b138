-- Prepaid balances of organisations. The books have the money: `prepaid_balance` is what an organisation has left, `balance_in_use` what left it for a read that
-- is being made, and `cash_bank` what arrived outside the chain.
alter table payments drop constraint payments_rail_check;
alter table payments add constraint payments_rail_check check (rail in ('mock', 'transfer', 'x402', 'balance'));
alter table payments drop constraint payments_protocol_version_check;
alter table payments add constraint payments_protocol_version_check
  check (protocol_version in ('mock', 'tx-hash', 'x402-v1', 'x402-v2', 'balance'));
alter table reads drop constraint reads_payment_type_check;
alter table reads add constraint reads_payment_type_check
  check (payment_type in ('x402', 'transfer', 'mock', 'balance', 'allowance'));
alter table ledger_journals drop constraint ledger_journals_kind_check;
alter table ledger_journals add constraint ledger_journals_kind_check
  check (kind in ('read', 'refund', 'payout', 'settlement', 'reversal', 'top_up', 'charge'));
alter table ledger_journals drop constraint ledger_journals_rail_check;
alter table ledger_journals add constraint ledger_journals_rail_check check (rail in ('mock', 'transfer', 'x402', 'balance'));
alter table ledger_journals add constraint ledger_journals_of_balances check (
  (kind <> 'top_up' or (org_id = holder_id and reason is not null))
  and (kind <> 'charge' or (org_id = holder_id and payment_id is not null and rail = 'balance')));
alter table ledger_postings drop constraint ledger_postings_account_check;
alter table ledger_postings add constraint ledger_postings_account_check check (account in (
  'cash_mock', 'cash_chain', 'cash_bank', 'platform_income', 'member_income', 'payouts_in_progress', 'owed_to_payers', 'prepaid_balance', 'balance_in_use'));

-- What an organisation has left. The row repeats what the books say, is changed only by the trigger on them, and is the lock that charges wait for: a balance
-- that would become negative fails the transaction.
create table prepaid_balances (
  org_id uuid primary key,
  balance_micros bigint not null check (balance_micros >= 0),
  -- The number of the latest entry, and its time.
  entry_count bigint not null check (entry_count >= 0),
  latest_at timestamptz not null,
  -- The administrators get an email when a read takes the balance below this amount.
  warn_below_micros bigint check (warn_below_micros > 0)
);

-- The lines of the statement, numbered without gaps. The times of an organisation never go back.
create table balance_entries (
  org_id uuid not null,
  number bigint not null check (number > 0),
  journal_id uuid not null,
  amount_micros bigint not null check (amount_micros <> 0),
  balance_micros bigint not null check (balance_micros >= 0),
  posted_at timestamptz not null,
  primary key (org_id, number)
);
create index balance_entries_by_time on balance_entries (org_id, posted_at);

-- Money that an organisation has announced or that the operator has recorded, by the reference under which it arrives. A reference is recorded once.
create table top_ups (
  reference text primary key check (reference ~ '^[A-Z0-9][A-Z0-9./-]{2,39}$'),
  org_id uuid not null,
  -- What was announced, and by whom; null for money that nobody announced.
  announced_micros bigint check (announced_micros > 0),
  announced_by uuid,
  announced_at timestamptz,
  -- What arrived, and who recorded it: a user, or null for the command line.
  recorded_micros bigint check (recorded_micros > 0),
  recorded_by uuid,
  recorded_at timestamptz,
  check ((announced_micros is null) = (announced_at is null)),
  check ((recorded_micros is null) = (recorded_at is null)),
  check (announced_at is not null or recorded_at is not null)
);
create index top_ups_by_organisation on top_ups (org_id, announced_at);
create index top_ups_announced on top_ups (announced_at, reference) where recorded_at is null;

-- What was recorded never changes, and neither does what was announced.
create trigger top_ups_guarded before update on top_ups for each row
  when (old.recorded_at is not null or (new.reference, new.org_id, new.announced_micros, new.announced_at)
    is distinct from (old.reference, old.org_id, old.announced_micros, old.announced_at))
  execute function refuse_change();
create trigger top_ups_kept before delete or truncate on top_ups for each statement execute function refuse_change();

-- Writes the line of the statement for a posting on a balance. The row of the organisation is locked until the commit, so that lines are numbered in the order in
-- which they take effect.
create function enter_balance() returns trigger language plpgsql as $$
declare
  changed prepaid_balances;
begin
  insert into prepaid_balances (org_id, balance_micros, entry_count, latest_at) values (new.holder_id, 0, 0, '-infinity')
  on conflict do nothing;
  update prepaid_balances set balance_micros = balance_micros - new.amount, entry_count = entry_count + 1,
    latest_at = greatest(latest_at, (select posted_at from ledger_journals where holder_id = new.holder_id and id = new.journal_id))
  where org_id = new.holder_id returning * into changed;
  insert into balance_entries (org_id, number, journal_id, amount_micros, balance_micros, posted_at)
  values (new.holder_id, changed.entry_count, new.journal_id, -new.amount, changed.balance_micros, changed.latest_at);
  return null;
end
$$;
create trigger ledger_postings_entered after insert on ledger_postings
  for each row when (new.account = 'prepaid_balance') execute function enter_balance();
create trigger balance_entries_append_only before update or delete or truncate on balance_entries
  for each statement execute function refuse_change();

-- Payments from balances, for the check of the books.
create view balance_payments as
  select id, org_id, state, amount_micros from payments where rail = 'balance';
