-- Income: one word for a read, in the names of tables and columns.

-- How many reads an organisation has used of the quota of a day (UTC). Written in the transaction that records the read, so that it is exact.
create table read_counts (
  org_id uuid not null references organisations (id) on delete cascade,
  day date not null,
  read_count integer not null check (read_count > 0),
  primary key (org_id, day)
);
create index read_counts_by_day on read_counts (day);
insert into read_counts select org_id, day, read_count from query_counts;
drop table query_counts;

-- How many reads an organisation has used of its free allowance, which it gets once.
create table read_allowances (
  org_id uuid primary key references organisations (id) on delete cascade,
  read_count integer not null check (read_count > 0)
);
insert into read_allowances select org_id, read_count from query_allowances;
drop table query_allowances;

-- The prices that an organisation was quoted, each for as long as it may pay this price.
create table read_quotes (
  member_id uuid not null references members (id),
  org_id uuid not null references organisations (id) on delete cascade,
  data_type text not null,
  price_micros bigint not null check (price_micros > 0),
  expires_at timestamptz not null,
  primary key (member_id, org_id, data_type, price_micros)
);
create index read_quotes_by_time on read_quotes (expires_at);
insert into read_quotes select member_id, org_id, data_type, price_micros, expires_at from query_quotes;
drop table query_quotes;

-- What an organisation has read about the fit of its culture and a member. It stays until the member is measured again, whatever profiles the
-- organisation publishes: profiles that differ would otherwise measure the same person against each of them.
create table read_alignments (
  member_id uuid not null references members (id),
  org_id uuid not null references organisations (id) on delete cascade,
  vector_version integer not null,
  authenticity text not null check (authenticity in ('high', 'moderate', 'low')),
  acceptance text not null check (acceptance in ('high', 'moderate', 'low')),
  primary key (member_id, org_id)
);
insert into read_alignments select member_id, org_id, vector_version, authenticity, acceptance from query_alignments;
drop table query_alignments;

-- One row for each payment that was presented for a read and was not refused at once, whatever the rail.
create table payments (
  id uuid primary key,
  state text not null check (state in ('claimed', 'settling', 'unknown', 'failed', 'settled', 'recorded', 'refused')),
  rail text not null check (rail in ('mock', 'transfer', 'x402')),
  protocol_version text not null check (protocol_version in ('mock', 'tx-hash', 'x402-v1', 'x402-v2')),
  -- The read that the payment pays for, and nothing else. The member is severed by an erasure.
  org_id uuid not null,
  user_id uuid not null,
  member_id uuid,
  data_type text not null,
  -- The id by which the organisation named the member, if the read is listed on the marketplace; null for other reads, and after the member's erasure.
  shown_member_id uuid,
  -- The grant of the agent that presented the payment, whose limit it was counted against; null if no agent did. What is owed back is taken off again.
  grant_id uuid,
  price_micros bigint not null check (price_micros >= 0),
  -- What the payer sends, in millionths of a dollar.
  amount_micros bigint not null check (amount_micros >= price_micros),
  -- What was signed; null on the mock rail. A transfer has no nonce and no end.
  network text,
  asset text,
  payer text,
  pay_to text,
  nonce text,
  valid_before timestamptz,
  -- What was mined.
  transaction text,
  log_index integer,
  -- Why the payment failed or was refused, or why its outcome is unknown.
  reason text,
  -- The stored result of the read.
  result jsonb,
  -- Until then, one process settles the payment.
  attempt_until timestamptz,
  created_at timestamptz not null,
  -- When it was last settled, or compared with the chain.
  attempted_at timestamptz not null,
  settled_at timestamptz,
  check (state not in ('settled', 'recorded', 'refused') or settled_at is not null),
  check (state <> 'recorded' or result is not null or member_id is null),
  check (state <> 'settling' or attempt_until is not null)
);
create index payments_open on payments (attempted_at, id) where state in ('claimed', 'settling', 'unknown', 'failed');
create index payments_unrecorded on payments (settled_at, id) where state = 'settled';
create index payments_by_organisation on payments (org_id, created_at, id);
create index payments_by_member on payments (member_id) where member_id is not null;
insert into payments
  (id, state, rail, protocol_version, org_id, user_id, member_id, data_type, shown_member_id, grant_id, price_micros, amount_micros, network, asset, payer,
    pay_to, nonce, valid_before, transaction, log_index, reason, result, attempt_until, created_at, attempted_at, settled_at)
select id, state, rail, protocol_version, org_id, user_id, member_id, data_type, marketplace_member_id, grant_id, price_micro, amount_micro, network, asset,
  payer, pay_to, nonce, valid_before, transaction, log_index, reason, result, attempt_until, created_at, attempted_at, settled_at
from payment_claims;
drop view ended_claims;
drop table payment_claims;
drop function guard_payment_claim();

-- Payments that have ended. The member is null after an erasure.
create view ended_payments as
  select id, org_id, member_id, state, amount_micros from payments where state in ('recorded', 'refused');

-- The states and their order are those of src/modules/income/payments/rules.ts. The database refuses any other change, so that no error in the code
-- can use a payment twice.
create function guard_payment() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'payments are never deleted' using errcode = 'integrity_constraint_violation';
  end if;
  if (new.id, new.rail, new.protocol_version, new.org_id, new.user_id, new.data_type, new.price_micros, new.amount_micros,
      new.network, new.asset, new.payer, new.pay_to, new.nonce, new.valid_before, new.created_at)
    is distinct from (old.id, old.rail, old.protocol_version, old.org_id, old.user_id, old.data_type, old.price_micros, old.amount_micros,
      old.network, old.asset, old.payer, old.pay_to, old.nonce, old.valid_before, old.created_at)
    or new.member_id is distinct from old.member_id and new.member_id is not null
  then
    raise exception 'what a payment pays for never changes' using errcode = 'integrity_constraint_violation';
  end if;
  if new.state <> old.state and old.state || ' ' || new.state not in (
    'claimed settling', 'claimed failed',
    'settling settled', 'settling failed', 'settling unknown',
    'unknown settling', 'unknown settled', 'unknown failed',
    'failed settling', 'failed settled',
    'settled recorded', 'settled refused'
  ) then
    raise exception 'a payment cannot change from % to %', old.state, new.state using errcode = 'integrity_constraint_violation';
  end if;
  if old.settled_at is not null
    and (new.transaction, new.log_index, new.settled_at) is distinct from (old.transaction, old.log_index, old.settled_at)
  then
    raise exception 'a settlement never changes' using errcode = 'integrity_constraint_violation';
  end if;
  if new.result is distinct from old.result
    and not (old.state = 'settled' and new.state = 'recorded')
    and not (new.result is null and new.member_id is null)
  then
    raise exception 'a stored result never changes' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;
create trigger payments_guarded before update or delete on payments
  for each row execute function guard_payment();
create trigger payments_kept before truncate on payments
  for each statement execute function refuse_change();

-- The payment of a read, of a journal and of a refund.
alter table payment_keys rename column claim_id to payment_id;
alter table reads rename column claim_id to payment_id;
alter table ledger_journals rename column claim_id to payment_id;
alter table payouts rename column claim_id to payment_id;
-- The reads and the journals belong to one module, which needs no views between them.
drop view journal_amounts;
drop view journal_incomes;
drop view read_journals;
drop view refund_journals;
drop view reversed_journals;

-- A read on the marketplace has a price in Australian dollars, the rate of exchange by which it corresponds to the price in US dollars, when this rate was
-- read, and the id by which the organisation named the member: an alias, or the real id once it knows it.
alter table reads
  add column shown_member_id uuid,
  add column price_aud_micros bigint check (price_aud_micros > 0),
  add column aud_per_usd_micros bigint check (aud_per_usd_micros > 0),
  add column rate_at timestamptz,
  add check ((price_aud_micros is null) = (shown_member_id is null)),
  add check ((price_aud_micros is null) = (aud_per_usd_micros is null)),
  add check ((price_aud_micros is null) = (rate_at is null)),
  add check (price_aud_micros is null or payment_type <> 'allowance');
create index reads_on_marketplace_by_member on reads (member_id, created_at desc, id desc) where price_aud_micros is not null;
create index reads_on_marketplace_by_org on reads (org_id, created_at desc, id desc) where price_aud_micros is not null;
update reads set shown_member_id = bought.shown_member_id, price_aud_micros = bought.price_aud_micros,
  aud_per_usd_micros = bought.aud_per_usd_micros, rate_at = bought.rate_at
from marketplace_transactions as bought where bought.claim_id = reads.payment_id;
drop table marketplace_transactions;
drop view reversed_claims;

-- As before, with the new name of the column.
create or replace function guard_payout() returns trigger language plpgsql as $$
declare
  successor text := nullif(current_setting('tessera.severed_as', true), '');
begin
  if tg_op = 'DELETE' then
    if successor = old.holder_id::text or coalesce(current_setting('tessera.severed_holder', true), '') <> old.holder_id::text
      or not exists (
        select from payouts as copy
        where holder_id = successor::uuid and id = old.id and is_severed
          and to_jsonb(copy) - '{holder_id,is_severed,destination,transaction_hash}'::text[]
            = to_jsonb(old) - '{holder_id,is_severed,destination,transaction_hash}'::text[])
    then
      raise exception 'payouts are never deleted' using errcode = 'integrity_constraint_violation';
    end if;
    return old;
  end if;
  if (new.holder_id, new.id, new.kind, new.rail, new.payment_id, new.is_severed)
      is distinct from (old.holder_id, old.id, old.kind, old.rail, old.payment_id, old.is_severed)
    or new.amount_micros <> old.amount_micros and old.status <> 'requested'
    or old.status in ('paid', 'returned')
  then
    raise exception 'what a payout pays never changes' using errcode = 'integrity_constraint_violation';
  end if;
  if new.status <> old.status
    and old.status || ' ' || new.status not in ('requested sending', 'requested returned', 'sending paid', 'sending returned')
  then
    raise exception 'a payout cannot change from % to %', old.status, new.status using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;
create or replace function sever_ledger(erased uuid, successor uuid) returns void language plpgsql as $$
begin
  if not exists (select from members_marked_for_deletion where id = erased) then
    raise exception 'the account of member % is not marked for deletion', erased using errcode = 'integrity_constraint_violation';
  end if;
  perform lock_holder_of_books(erased);
  delete from ledger_checkpoints where holder_id = erased;
  insert into ledger_journals
    (holder_id, id, kind, idempotency_key, body_hash, org_id, read_id, payment_id, payout_id, reversed_id, rail, share_bps, reason, posted_at)
  select successor, id, kind, idempotency_key, body_hash, org_id, read_id, payment_id, payout_id, reversed_id, rail, share_bps, reason, posted_at
  from ledger_journals where holder_id = erased;
  insert into ledger_postings (holder_id, journal_id, account, amount, available_at)
  select successor, journal_id, account, amount, available_at from ledger_postings where holder_id = erased;
  -- A payout in progress keeps its destination until it ends.
  insert into payouts
    (holder_id, id, kind, status, amount_micros, rail, destination, payment_id, transaction_hash, signed_transaction, earlier_hashes, signed_at,
      requested_at, ended_at, is_severed)
  select successor, id, kind, status, amount_micros, rail, case when ended_at is null then destination end, payment_id,
    case when ended_at is null then transaction_hash end, signed_transaction, earlier_hashes, signed_at, requested_at, ended_at, true
  from payouts where holder_id = erased;
  execute format('set local tessera.severed_holder = %L', erased);
  execute format('set local tessera.severed_as = %L', successor);
  delete from payouts where holder_id = erased;
  delete from ledger_postings where holder_id = erased;
  delete from ledger_journals where holder_id = erased;
  set local tessera.severed_holder = '';
  set local tessera.severed_as = '';
end
$$;
