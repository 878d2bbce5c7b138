-- The trigger functions that write to another table, for Citus: a trigger runs on a shard and writes to the shard beside it, of the same
-- key. `citus.enable_unsafe_triggers` allows triggers on distributed tables; they are safe because they leave neither node nor transaction.

-- The shard of a table that has the same keys as a given shard. A table that is on every node has one.
create or replace function find_neighbouring_shard(shard text, neighbour text) returns text language sql stable as $$
  select format('%I', neighbour || '_' || theirs.shardid)
  from pg_dist_shard as ours join pg_dist_shard as theirs on theirs.shardminvalue is not distinct from ours.shardminvalue
  where ours.shardid = substring(shard from '\d+$')::bigint and theirs.logicalrelid = neighbour::regclass
$$;

select create_distributed_function('find_neighbouring_shard(text, text)');
select create_distributed_function('find_database_node()');

-- In place of that of 0001_baseline.sql.
create or replace function note_matching_change() returns trigger language plpgsql set citus.enable_manual_changes_to_shards = on as $$
begin
  execute format('insert into %s (member_id) values ($1) on conflict do nothing', find_neighbouring_shard(tg_table_name, 'matching_changes'))
    using new.id;
  return null;
end
$$;

-- In place of that of 0001_baseline.sql.
create or replace function note_matching_changes() returns trigger language plpgsql set citus.enable_manual_changes_to_shards = on as $$
begin
  execute format('insert into %s (member_id) select distinct member_id from changed on conflict do nothing',
    find_neighbouring_shard(tg_table_name, 'matching_changes'));
  return null;
end
$$;

-- In place of that of 0001_baseline.sql.
create or replace function note_matching_erasure() returns trigger language plpgsql set citus.enable_manual_changes_to_shards = on as $$
declare
  changes text := find_neighbouring_shard(tg_table_name, 'matching_changes');
begin
  execute format('delete from %s where member_id = $1', changes) using old.id;
  execute format('insert into %s (member_id, is_erased) values ($1, true) on conflict do nothing', changes)
    using ('00000000-0000-0000-0000-0000' || right(old.id::text, 8))::uuid;
  return null;
end
$$;

-- In place of that of 0043_job_changes.sql.
create or replace function note_job_change() returns trigger language plpgsql set citus.enable_manual_changes_to_shards = on as $$
begin
  execute format('insert into %s (job_id) values ($1) on conflict do nothing', find_neighbouring_shard(tg_table_name, 'job_changes'))
    using coalesce(new.id, old.id);
  return null;
end
$$;

-- In place of that of 0001_baseline.sql.
create or replace function count_matches() returns trigger language plpgsql set citus.enable_manual_changes_to_shards = on as $$
declare
  change record;
  counts text := find_neighbouring_shard(tg_table_name, 'match_counts');
  updated integer;
begin
  for change in execute case tg_op
    when 'INSERT' then 'select owner_id, (array_agg(job_id))[1] as job_id, match_status, match_quality, count(*) as difference
      from added_matches cross join unnest(array[org_id, job_id]) as owner_id group by 1, 3, 4'
    when 'DELETE' then 'select owner_id, (array_agg(job_id))[1] as job_id, match_status, match_quality, -count(*) as difference
      from removed_matches cross join unnest(array[org_id, job_id]) as owner_id group by 1, 3, 4'
    else 'select owner_id, (array_agg(job_id))[1] as job_id, match_status, match_quality, sum(difference) as difference
      from (
        select org_id, job_id, match_status, match_quality, 1 as difference from added_matches
        union all
        select org_id, job_id, match_status, match_quality, -1 from removed_matches
      ) as changed_matches cross join unnest(array[org_id, job_id]) as owner_id
      group by 1, 3, 4 having sum(difference) <> 0'
    end
  loop
    execute format('update %1$s set match_count = match_count + $1
      where (job_id, id) = (
        select job_id, id from %1$s where (owner_id, match_status, match_quality) = ($2, $3, $4) limit 1 for update skip locked)', counts)
      using change.difference, change.owner_id, change.match_status, change.match_quality;
    get diagnostics updated = row_count;
    if updated = 0 then
      execute format('insert into %s (job_id, id, owner_id, match_status, match_quality, match_count) values ($1, gen_random_uuid(), $2, $3, $4, $5)', counts)
        using change.job_id, change.owner_id, change.match_status, change.match_quality, change.difference;
    end if;
  end loop;
  return null;
end
$$;

-- The functions of the books, as in the migrations, but each reads the shard of its trigger and those beside it. What a transaction has posted is complete on its
-- shard when it prepares to commit there, and a fault ends it on all nodes.
-- In place of that of 0001_baseline.sql.
create or replace function refuse_unbalanced_postings() returns trigger language plpgsql as $$
declare
  total numeric;
begin
  execute format('select sum(amount) from %I where holder_id = $1 and journal_id = $2', tg_table_name)
    into total using new.holder_id, new.journal_id;
  if total <> 0 then
    raise exception 'journal % is unbalanced by %', new.journal_id, total using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;

-- In place of that of 0001_baseline.sql.
create or replace function refuse_empty_journal() returns trigger language plpgsql as $$
declare
  has_postings boolean;
begin
  execute format('select exists (select from %s where holder_id = $1 and journal_id = $2)', find_neighbouring_shard(tg_table_name, 'ledger_postings'))
    into has_postings using new.holder_id, new.id;
  if not has_postings then
    raise exception 'journal % has no postings', new.id using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;

-- Whether the transaction is moving a holder whose account is marked for deletion, and to whom; null if it is not.
create or replace function find_moving(shard text, holder uuid) returns uuid language plpgsql as $$
declare
  successor text := nullif(current_setting('tessera.severed_as', true), '');
  is_marked boolean;
begin
  if successor = holder::text or coalesce(current_setting('tessera.severed_holder', true), '') <> holder::text then
    return null;
  end if;
  execute format($find$select exists (select from %s where id = $1 and account_status = 'pending_deletion')$find$, find_neighbouring_shard(shard, 'members'))
    into is_marked using holder;
  return case when is_marked then successor::uuid end;
end
$$;

select create_distributed_function('find_moving(text, uuid)');

-- In place of that of 0001_baseline.sql.
create or replace function refuse_unless_journal_moved() returns trigger language plpgsql as $$
declare
  is_moved boolean;
begin
  execute format('select exists (select from %I as copy where holder_id = $1 and id = $2 and to_jsonb(copy) - ''holder_id'' = $3)', tg_table_name)
    into is_moved using find_moving(tg_table_name, old.holder_id), old.id, to_jsonb(old) - 'holder_id';
  if not is_moved then
    raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end
$$;

-- In place of that of 0001_baseline.sql.
create or replace function refuse_unless_posting_moved() returns trigger language plpgsql as $$
declare
  is_moved boolean;
begin
  execute format('select exists (select from %I as copy where holder_id = $1 and journal_id = $2 and account = $3 and to_jsonb(copy) - ''holder_id'' = $4)',
    tg_table_name)
    into is_moved using find_moving(tg_table_name, old.holder_id), old.journal_id, old.account, to_jsonb(old) - 'holder_id';
  if not is_moved then
    raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end
$$;

-- In place of that of 0001_baseline.sql.
create or replace function guard_payout() returns trigger language plpgsql as $$
declare
  is_moved boolean;
  may_differ text[] := '{holder_id,is_severed,destination,transaction_hash}';
begin
  if tg_op = 'DELETE' then
    execute format('select exists (select from %I as copy where holder_id = $1 and id = $2 and is_severed and to_jsonb(copy) - $3 = $4)', tg_table_name)
      into is_moved using find_moving(tg_table_name, old.holder_id), old.id, may_differ, to_jsonb(old) - may_differ;
    if not is_moved then
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

-- In place of that of 0001_baseline.sql.
create or replace function forget_checkpoint() returns trigger language plpgsql set citus.enable_manual_changes_to_shards = on as $$
declare
  ended timestamptz := case when tg_table_name like 'payouts%' then to_jsonb(new) ->> 'ended_at' else to_jsonb(new) ->> 'available_at' end;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('ledger.holder:' || new.holder_id, 0));
  execute format('delete from %s where holder_id = $1 and until >= $2', find_neighbouring_shard(tg_table_name, 'ledger_checkpoints'))
    using new.holder_id, ended;
  return null;
end
$$;

-- In place of that of 0020_prepaid_balances.sql.
create or replace function enter_balance() returns trigger language plpgsql set citus.enable_manual_changes_to_shards = on as $$
declare
  balances text := find_neighbouring_shard(tg_table_name, 'prepaid_balances');
  changed record;
begin
  execute format('insert into %s (org_id, balance_micros, entry_count, latest_at) values ($1, 0, 0, ''-infinity'') on conflict do nothing', balances)
    using new.holder_id;
  execute format('update %s set balance_micros = balance_micros - $1, entry_count = entry_count + 1,
      latest_at = greatest(latest_at, (select posted_at from %s where holder_id = $2 and id = $3))
    where org_id = $2 returning entry_count, balance_micros, latest_at', balances, find_neighbouring_shard(tg_table_name, 'ledger_journals'))
    into changed using new.amount, new.holder_id, new.journal_id;
  execute format('insert into %s (org_id, number, journal_id, amount_micros, balance_micros, posted_at) values ($1, $2, $3, $4, $5, $6)',
    find_neighbouring_shard(tg_table_name, 'balance_entries'))
    using new.holder_id, changed.entry_count, new.journal_id, -new.amount, changed.balance_micros, changed.latest_at;
  return null;
end
$$;

-- The locks of the books are on the node of their holder, where the triggers take them: a statement that needs one shard runs there as a whole.
-- In place of that of 0048_books_on_nodes.sql.
create or replace function share_holder_of_books(holder uuid) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('ledger.holder:' || holder, 0))
  from (select count(*) from ledger_checkpoints where holder_id = holder) as node;
end
$$;

-- In place of that of 0001_baseline.sql.
create or replace function lock_holder_of_books(holder uuid) returns void language plpgsql as $$
begin
  perform from payouts where holder_id = holder order by id for update;
  perform pg_advisory_xact_lock(hashtextextended('ledger.holder:' || holder, 0))
  from (select count(*) from ledger_checkpoints where holder_id = holder) as node;
end
$$;

-- In the shard of the holder, so that the triggers see the copy of what they let go.
-- In place of that of 0048_books_on_nodes.sql.
create or replace function choose_successor(holder uuid) returns uuid language plpgsql as $$
declare
  successor uuid;
begin
  loop
    successor := gen_random_uuid();
    if get_shard_id_for_distribution_column('members', successor) = get_shard_id_for_distribution_column('members', holder) then
      return successor;
    end if;
  end loop;
end
$$;

-- In place of that of 0001_baseline.sql.
create or replace function checkpoint_ledger(holder uuid, up_to timestamptz) returns void language plpgsql as $$
declare
  former record;
  since timestamptz;
  earned bigint;
  paid bigint;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'a checkpoint needs the isolation level read committed' using errcode = 'invalid_transaction_state';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('ledger.holder:' || holder, 0))
  from (select count(*) from ledger_checkpoints where holder_id = holder) as node;
  select * into former from ledger_checkpoints where holder_id = holder;
  since := coalesce(former.until, '-infinity');
  perform from ledger_postings where holder_id = holder and account = 'member_income' limit 1;
  if up_to <= since or not found then
    return;
  end if;
  select coalesce(sum(-amount), 0) into earned from ledger_postings
  where holder_id = holder and account = 'member_income' and available_at > since and available_at <= up_to;
  select coalesce(sum(amount_micros), 0) into paid from payouts
  where holder_id = holder and status = 'paid' and ended_at > since and ended_at <= up_to;
  insert into ledger_checkpoints (holder_id, until, income_micros, paid_micros)
  values (holder, up_to, coalesce(former.income_micros, 0) + earned, coalesce(former.paid_micros, 0) + paid)
  on conflict (holder_id) do update
    set until = excluded.until, income_micros = excluded.income_micros, paid_micros = excluded.paid_micros;
end
$$;

-- Tables that are on every node have their triggers on every node.
-- In place of that of 0017_banks_in_use.sql.
create or replace function refuse_deletion_of_used_version() returns trigger language plpgsql as $$
declare
  is_used boolean;
begin
  execute format('select exists (select from %s where version = $1) or exists (select from %I where base_version = $1)',
    find_neighbouring_shard(tg_table_name, 'item_parameter_uses'), tg_table_name)
    into is_used using old.version;
  if old.bank = 'tessera' or is_used then
    raise exception 'version % is append-only', old.version;
  end if;
  return old;
end
$$;

-- In place of that of 0017_banks_in_use.sql.
create or replace function refuse_deletion_of_used_statements() returns trigger language plpgsql as $$
declare
  is_used boolean;
begin
  execute format('select exists (select from %s where bank = $1 and item_bank_version = $2)', find_neighbouring_shard(tg_table_name, 'item_parameter_versions'))
    into is_used using old.bank, old.form_version;
  if is_used then
    raise exception 'the statements % are append-only', old.form_version;
  end if;
  return old;
end
$$;

-- Service keys are on the first node alone.
-- In place of that of 0044_operator_keys.sql.
create or replace function note_key_changes_of_organisation() returns trigger language plpgsql as $$
begin
  if to_regclass('service_keys') is not null then
    insert into service_key_changes (service_key_id) select id from service_keys where org_id = new.id on conflict do nothing;
  end if;
  return null;
end
$$;

-- A query of the learner reaches the nodes with the tables in place of their views, under the learner's name. It may read the columns that its views show and no
-- other, and where a view has a condition, the rows that meet it and no other. Roles that inherit from the learner read all rows.
do $$
declare
  source record;
begin
  if not exists (select from pg_roles where rolname = 'tessera_learner') then
    return;
  end if;
  for source in
    select relation::regclass as name, string_agg(quote_ident(attname), ', ') as columns
    from list_learner_columns() join pg_attribute on attrelid = relation and attnum = attribute group by relation
  loop
    execute format('grant select (%s) on %s to tessera_learner', source.columns, source.name);
  end loop;
  for source in
    select name, substring(pg_get_viewdef(view) from '\sWHERE (.*);$') as condition
    from (values ('members', 'deployed_profiles'::regclass), ('organisations', 'suspended_organisations'::regclass)) as conditional (name, view)
  loop
    execute format('drop policy if exists learner_rows on %I', source.name);
    execute format('create policy learner_rows on %I using (current_user <> ''tessera_learner'' or %s) with check (true)', source.name, source.condition);
    execute format('alter table %I enable row level security', source.name);
  end loop;
end
$$;

-- One row in each shard, so that a query of this table runs on every node.
delete from matching_change_shards;
insert into matching_change_shards (shard_key)
select distinct on (get_shard_id_for_distribution_column('matching_change_shards', shard_key)) shard_key
from (select gen_random_uuid() as shard_key from generate_series(1, 10000)) as candidates;
