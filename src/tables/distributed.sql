-- The trigger functions that write to another table, for Citus: a trigger runs on a shard and writes to the shard beside it, of the same
-- key. `citus.enable_unsafe_triggers` allows triggers on distributed tables; they are safe because they leave neither node nor transaction.

-- The shard of a table that has the same keys as a given shard.
create or replace function find_neighbouring_shard(shard text, neighbour text) returns text language sql stable as $$
  select format('%I', neighbour || '_' || theirs.shardid)
  from pg_dist_shard as ours join pg_dist_shard as theirs on theirs.shardminvalue = ours.shardminvalue
  where ours.shardid = substring(shard from '\d+$')::bigint and theirs.logicalrelid = neighbour::regclass
$$;

select create_distributed_function('find_neighbouring_shard(text, text)');
select create_distributed_function('find_database_node()');

create or replace function note_matching_change() returns trigger language plpgsql set citus.enable_manual_changes_to_shards = on as $$
begin
  execute format('insert into %s (member_id) values ($1) on conflict do nothing', find_neighbouring_shard(tg_table_name, 'matching_changes'))
    using new.id;
  return null;
end
$$;

create or replace function note_matching_changes() returns trigger language plpgsql set citus.enable_manual_changes_to_shards = on as $$
begin
  execute format('insert into %s (member_id) select distinct member_id from changed on conflict do nothing',
    find_neighbouring_shard(tg_table_name, 'matching_changes'));
  return null;
end
$$;

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

create or replace function note_job_change() returns trigger language plpgsql set citus.enable_manual_changes_to_shards = on as $$
begin
  execute format('insert into %s (job_id) values ($1) on conflict do nothing', find_neighbouring_shard(tg_table_name, 'job_changes'))
    using coalesce(new.id, old.id);
  return null;
end
$$;

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

-- As in the migration, but the trigger's table is a shard: its name has a number.
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

-- One row in each shard, so that a query of this table runs on every node.
delete from matching_change_shards;
insert into matching_change_shards (shard_key)
select distinct on (get_shard_id_for_distribution_column('matching_change_shards', shard_key)) shard_key
from (select gen_random_uuid() as shard_key from generate_series(1, 10000)) as candidates;
