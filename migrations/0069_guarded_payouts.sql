-- Payouts that the database guards, and checkpoints that an erasure cannot leave behind (docs/decisions/0072-attacks-on-the-books.md).

-- A payout is requested, then sent, then paid or returned. What has ended never changes, and whose money it is never changes. One that was not signed
-- yet may be returned. A row is deleted only by an erasure, and only if its copy is there.
create function guard_payout() returns trigger language plpgsql as $$
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
  if (new.holder_id, new.id, new.kind, new.rail, new.claim_id, new.is_severed)
      is distinct from (old.holder_id, old.id, old.kind, old.rail, old.claim_id, old.is_severed)
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
create trigger payouts_guarded before update or delete on payouts for each row execute function guard_payout();
create trigger payouts_kept before truncate on payouts for each statement execute function refuse_change();

-- With an older snapshot, a checkpoint that was made meanwhile would not be seen, and stay without what is posted.
create or replace function forget_checkpoint() returns trigger language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'income and payouts need the isolation level read committed' using errcode = 'invalid_transaction_state';
  end if;
  perform pg_advisory_xact_lock_shared(hashtextextended('ledger.holder:' || new.holder_id, 0));
  if tg_table_name = 'payouts' then
    delete from ledger_checkpoints where holder_id = new.holder_id and until >= new.ended_at;
  else
    delete from ledger_checkpoints where holder_id = new.holder_id and until >= new.available_at;
  end if;
  return null;
end
$$;

-- As before, but without income there is no checkpoint: one that has waited for an erasure would keep the id of the member.
create or replace function checkpoint_ledger(holder uuid, up_to timestamptz) returns void language plpgsql as $$
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
  if up_to <= since or not exists (select from ledger_postings where holder_id = holder and account = 'member_income') then
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

-- Locks the books of a holder in the order of a payout that ends: its row, and then what it posts.
create function lock_holder_of_books(holder uuid) returns void language plpgsql as $$
begin
  perform from payouts where holder_id = holder order by id for update;
  perform pg_advisory_xact_lock(hashtextextended('ledger.holder:' || holder, 0));
end
$$;

-- Moves what the ledger has of a member whose account is marked for deletion to an id that belongs to nobody. Until the commit, nothing can be posted for
-- the member, no payout can end, and no checkpoint can be made: it would keep the id of the member.
create or replace function sever_ledger(erased uuid, successor uuid) returns void language plpgsql as $$
begin
  if not exists (select from members_marked_for_deletion where id = erased) then
    raise exception 'the account of member % is not marked for deletion', erased using errcode = 'integrity_constraint_violation';
  end if;
  perform lock_holder_of_books(erased);
  delete from ledger_checkpoints where holder_id = erased;
  insert into ledger_journals
    (holder_id, id, kind, idempotency_key, body_hash, org_id, read_id, claim_id, payout_id, reversed_id, rail, share_bps, reason, posted_at)
  select successor, id, kind, idempotency_key, body_hash, org_id, read_id, claim_id, payout_id, reversed_id, rail, share_bps, reason, posted_at
  from ledger_journals where holder_id = erased;
  insert into ledger_postings (holder_id, journal_id, account, amount, available_at)
  select successor, journal_id, account, amount, available_at from ledger_postings where holder_id = erased;
  -- A payout in progress keeps its destination until it ends.
  insert into payouts
    (holder_id, id, kind, status, amount_micros, rail, destination, claim_id, transaction_hash, signed_transaction, earlier_hashes, signed_at,
      requested_at, ended_at, is_severed)
  select successor, id, kind, status, amount_micros, rail, case when ended_at is null then destination end, claim_id,
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

-- Which payments were taken back, for lists that are about payments.
create view reversed_claims as
  select holder_id as member_id, claim_id from ledger_journals where kind = 'reversal' and claim_id is not null;
