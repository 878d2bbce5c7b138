-- Checkpoints bound the cost of a balance (docs/decisions/0068-checkpoints-and-faults.md). The books are the postings and payouts alone: a checkpoint may
-- be deleted at any time, and balances stay the same.

create table ledger_checkpoints (
  holder_id uuid primary key,
  -- Everything that is available until this time, this time included, is in the sums.
  until timestamptz not null,
  income_micros bigint not null,
  paid_micros bigint not null check (paid_micros >= 0)
);

-- For what was paid after a checkpoint.
create index payouts_paid on payouts (holder_id, ended_at) include (amount_micros) where status = 'paid';

-- Adds up until a time what a member has earned and was paid, from the former checkpoint on. The lock waits for transactions that are posting for this
-- member, and those that come later wait for this one, so that no posting can be committed afterwards that belongs into the sum and is not in it.
create function checkpoint_ledger(holder uuid, up_to timestamptz) returns void language plpgsql as $$
declare
  former ledger_checkpoints;
  since timestamptz;
begin
  -- With an older snapshot, the sums would lack what was committed while the lock was awaited.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'a checkpoint needs the isolation level read committed' using errcode = 'invalid_transaction_state';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('ledger.holder:' || holder, 0));
  select * into former from ledger_checkpoints where holder_id = holder;
  since := coalesce(former.until, '-infinity');
  if up_to <= since then
    return;
  end if;
  insert into ledger_checkpoints (holder_id, until, income_micros, paid_micros)
  select holder, up_to,
    coalesce(former.income_micros, 0) + coalesce((
      select sum(-amount) from ledger_postings
      where holder_id = holder and account = 'member_income' and available_at > since and available_at <= up_to), 0),
    coalesce(former.paid_micros, 0) + coalesce((
      select sum(amount_micros) from payouts
      where holder_id = holder and status = 'paid' and ended_at > since and ended_at <= up_to), 0)
  on conflict (holder_id) do update
    set until = excluded.until, income_micros = excluded.income_micros, paid_micros = excluded.paid_micros;
end
$$;

-- What is posted into the time of a checkpoint, such as the reversal of an old sale, ends the checkpoint. The next one adds everything up again.
create function forget_checkpoint() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('ledger.holder:' || new.holder_id, 0));
  if tg_table_name = 'payouts' then
    delete from ledger_checkpoints where holder_id = new.holder_id and until >= new.ended_at;
  else
    delete from ledger_checkpoints where holder_id = new.holder_id and until >= new.available_at;
  end if;
  return null;
end
$$;
create trigger ledger_postings_checkpointed after insert on ledger_postings
  for each row when (new.account = 'member_income') execute function forget_checkpoint();
create trigger payouts_checkpointed after insert or update of status, ended_at, amount_micros, holder_id on payouts
  for each row when (new.status = 'paid') execute function forget_checkpoint();
