-- Entries of the audit log are deleted after a retention that the operator chooses (docs/decisions/0039-index-copy-and-retention.md). The
-- database itself refuses to delete entries of the last 184 days, which are at least six months, and every other deletion.

drop trigger audit_log_append_only on audit_log;
create trigger audit_log_append_only before truncate on audit_log
  for each statement execute function refuse_change();

create function refuse_unless_forgotten() returns trigger language plpgsql as $$
declare
  horizon text := current_setting('tessera.forgotten_before', true);
begin
  if coalesce(horizon, '') = '' or old.created_at >= horizon::timestamptz or old.created_at >= now() - interval '184 days' then
    raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end
$$;
create trigger audit_log_forgotten_only before delete on audit_log
  for each row execute function refuse_unless_forgotten();

-- Deletes at most rows_max entries from before a time, the oldest first, and returns how many.
create function forget_audit(horizon timestamptz, rows_max integer) returns bigint language plpgsql as $$
declare
  forgotten bigint;
begin
  perform set_config('tessera.forgotten_before', horizon::text, true);
  delete from audit_log where id in (select id from audit_log where created_at < horizon order by created_at limit rows_max);
  get diagnostics forgotten = row_count;
  perform set_config('tessera.forgotten_before', '', true);
  return forgotten;
end
$$;
