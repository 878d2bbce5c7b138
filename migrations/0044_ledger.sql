-- The ledger (docs/decisions/0051-ledger.md), and the reads for which members are paid (docs/decisions/0052-income.md).

create table ledger_journals (
  -- Whose money it is about: a member, or an organisation that is owed a refund. After an erasure, an id that belongs to nobody.
  holder_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('read', 'refund', 'payout', 'settlement', 'reversal')),
  -- What is posted once. The same key with another body is refused.
  idempotency_key text not null,
  body_hash bytea not null check (length(body_hash) = 32),
  org_id uuid,
  read_id uuid,
  claim_id uuid,
  payout_id uuid,
  -- The journal that this one takes back.
  reversed_id uuid,
  rail text check (rail in ('mock', 'transfer', 'x402')),
  -- The member's share of a read in basis points.
  share_bps integer check (share_bps between 0 and 10000),
  reason text,
  posted_at timestamptz not null,
  primary key (holder_id, id),
  -- The primary key is the only index by the holder alone. Of two such indexes, the planner may take the other one to find a single journal, and read
  -- all journals of a popular member.
  unique (idempotency_key, holder_id),
  check ((kind = 'read') = (share_bps is not null)),
  check ((kind = 'reversal') = (reversed_id is not null)),
  check (kind not in ('read', 'refund') or (claim_id is not null and org_id is not null and rail is not null))
);

create unique index ledger_journals_by_reversed on ledger_journals (holder_id, reversed_id) where reversed_id is not null;

-- Debits are positive, credits negative. The balance of an account is the sum of its postings: no row is updated by two sales.
create table ledger_postings (
  holder_id uuid not null,
  journal_id uuid not null,
  account text not null
    check (account in ('cash_mock', 'cash_chain', 'platform_income', 'member_income', 'payouts_in_progress', 'owed_to_payers')),
  amount bigint not null check (amount <> 0),
  -- When a member's income may be paid out: pending before, available from then on.
  available_at timestamptz,
  primary key (holder_id, journal_id, account),
  foreign key (holder_id, journal_id) references ledger_journals (holder_id, id),
  check ((account = 'member_income') = (available_at is not null))
);
-- For balances. It has a condition for the same reason as above.
create index ledger_postings_by_account on ledger_postings (holder_id, account, available_at) include (amount)
  where account in ('member_income', 'payouts_in_progress');

-- Checked when the transaction commits.
create function refuse_unbalanced_postings() returns trigger language plpgsql as $$
declare
  total numeric;
begin
  select sum(amount) into total from ledger_postings where holder_id = new.holder_id and journal_id = new.journal_id;
  if total <> 0 then
    raise exception 'journal % is unbalanced by %', new.journal_id, total using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;
create function refuse_empty_journal() returns trigger language plpgsql as $$
begin
  if not exists (select from ledger_postings where holder_id = new.holder_id and journal_id = new.id) then
    raise exception 'journal % has no postings', new.id using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;
create constraint trigger ledger_postings_balanced after insert on ledger_postings
  deferrable initially deferred for each row execute function refuse_unbalanced_postings();
create constraint trigger ledger_journals_filled after insert on ledger_journals
  deferrable initially deferred for each row execute function refuse_empty_journal();

-- Nothing is updated or deleted, whoever asks. An erasure moves a member's rows to an id that belongs to nobody: a row goes only if its copy is
-- there, so that no amount can change, and only from an account that is marked for deletion, so that no income can be moved to another member.
create trigger ledger_journals_append_only before update or truncate on ledger_journals
  for each statement execute function refuse_change();
create trigger ledger_postings_append_only before update or truncate on ledger_postings
  for each statement execute function refuse_change();

create function refuse_unless_journal_moved() returns trigger language plpgsql as $$
declare
  successor text := nullif(current_setting('tessera.severed_as', true), '');
begin
  if successor = old.holder_id::text or coalesce(current_setting('tessera.severed_holder', true), '') <> old.holder_id::text
    or not exists (select from members_marked_for_deletion where id = old.holder_id)
    or not exists (
      select from ledger_journals as copy
      where holder_id = successor::uuid and id = old.id and to_jsonb(copy) - 'holder_id' = to_jsonb(old) - 'holder_id')
  then
    raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end
$$;
create function refuse_unless_posting_moved() returns trigger language plpgsql as $$
declare
  successor text := nullif(current_setting('tessera.severed_as', true), '');
begin
  if successor = old.holder_id::text or coalesce(current_setting('tessera.severed_holder', true), '') <> old.holder_id::text
    or not exists (select from members_marked_for_deletion where id = old.holder_id)
    or not exists (
      select from ledger_postings as copy
      where holder_id = successor::uuid and journal_id = old.journal_id and account = old.account
        and to_jsonb(copy) - 'holder_id' = to_jsonb(old) - 'holder_id')
  then
    raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end
$$;
create trigger ledger_journals_moved_only before delete on ledger_journals
  for each row execute function refuse_unless_journal_moved();
create trigger ledger_postings_moved_only before delete on ledger_postings
  for each row execute function refuse_unless_posting_moved();

-- Moves what the ledger has of a member whose account is marked for deletion to an id that belongs to nobody.
create function sever_ledger(erased uuid, successor uuid) returns void language plpgsql as $$
begin
  if not exists (select from members_marked_for_deletion where id = erased) then
    raise exception 'the account of member % is not marked for deletion', erased using errcode = 'integrity_constraint_violation';
  end if;
  insert into ledger_journals
    (holder_id, id, kind, idempotency_key, body_hash, org_id, read_id, claim_id, payout_id, reversed_id, rail, share_bps, reason, posted_at)
  select successor, id, kind, idempotency_key, body_hash, org_id, read_id, claim_id, payout_id, reversed_id, rail, share_bps, reason, posted_at
  from ledger_journals where holder_id = erased;
  insert into ledger_postings (holder_id, journal_id, account, amount, available_at)
  select successor, journal_id, account, amount, available_at from ledger_postings where holder_id = erased;
  execute format('set local tessera.severed_holder = %L', erased);
  execute format('set local tessera.severed_as = %L', successor);
  delete from ledger_postings where holder_id = erased;
  delete from ledger_journals where holder_id = erased;
  set local tessera.severed_holder = '';
  set local tessera.severed_as = '';
end
$$;

create table payouts (
  -- The member, or the organisation that gets a refund.
  holder_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('income', 'refund')),
  -- requested: in the ledger. sending: its transaction is signed, and may have been sent. paid, returned: final.
  status text not null check (status in ('requested', 'sending', 'paid', 'returned')),
  amount_micros bigint not null check (amount_micros > 0),
  rail text not null check (rail in ('mock', 'chain')),
  -- Gone once the payout has ended and the member is erased.
  destination text,
  -- The payment that a refund gives back.
  claim_id uuid,
  -- The hash of the transaction, and the signed transaction itself, which may be sent again and again without paying twice.
  transaction_hash text,
  signed_transaction text,
  requested_at timestamptz not null,
  ended_at timestamptz,
  -- The account was erased while the payout was in progress, which then needs its destination a little longer.
  is_severed boolean not null default false,
  primary key (holder_id, id),
  unique (holder_id, claim_id),
  check ((kind = 'refund') = (claim_id is not null)),
  check ((status in ('paid', 'returned')) = (ended_at is not null)),
  check (status <> 'sending' or transaction_hash is not null)
);
-- One payout of a member at a time: the second waits for the first one's transaction, and is refused.
create unique index payouts_open on payouts (holder_id) where kind = 'income' and status in ('requested', 'sending');
create index payouts_unfinished on payouts (requested_at, id) where status in ('requested', 'sending');
create index payouts_by_time on payouts (holder_id, requested_at, id);

create table reads (
  -- The member who was read. After an erasure, an id that belongs to nobody.
  member_id uuid not null,
  id uuid not null,
  org_id uuid not null,
  -- The user of the organisation. No reference: the read outlives the account.
  user_id uuid not null,
  data_type text not null check (data_type in ('archetype', 'trait_profile', 'values_profile', 'alignment')),
  payment_type text not null check (payment_type in ('x402', 'transfer', 'mock', 'allowance')),
  gross_micros bigint not null check (gross_micros >= 0),
  member_micros bigint not null check (member_micros between 0 and gross_micros),
  share_bps integer not null check (share_bps between 0 and 10000),
  multiplier_bps integer not null check (multiplier_bps between 5000 and 20000),
  claim_id uuid,
  protocol_version text,
  journal_id uuid,
  created_at timestamptz not null,
  primary key (member_id, id),
  unique (member_id, claim_id),
  -- A free read earns recognition: there is neither money without a read nor a paid read without money.
  check ((payment_type = 'allowance') = (gross_micros = 0)),
  check ((payment_type = 'allowance') = (journal_id is null)),
  check ((payment_type = 'allowance') = (claim_id is null))
);
create index reads_by_time on reads (member_id, created_at desc, id desc);
create index reads_by_org on reads (org_id, created_at desc, id desc);

-- What members see of the books: when the income of a read is available, and what was taken back.
create view journal_incomes as
  select holder_id as member_id, journal_id, available_at from ledger_postings where account = 'member_income';
create view reversed_journals as
  select holder_id as member_id, reversed_id as journal_id from ledger_journals where reversed_id is not null;
create view read_journals as
  select holder_id as member_id, id as journal_id, read_id, claim_id from ledger_journals where kind = 'read';
