-- Only the rows of an account that is marked for deletion may be moved to another holder. Before, a role that may write the ledger could name any
-- holder itself, and move the income of one member to another (docs/ledger.md).

create or replace function refuse_unless_journal_moved() returns trigger language plpgsql as $$
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
create or replace function refuse_unless_posting_moved() returns trigger language plpgsql as $$
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
