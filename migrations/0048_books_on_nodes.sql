-- What a distributed database does in another way (src/tables/distributed.sql): the books of a holder are locked on the node that has them, and an erasure moves
-- them to an id of the same node.

-- An id that belongs to nobody, for what an erasure keeps of a holder.
create function choose_successor(holder uuid) returns uuid language plpgsql as $$
begin
  return gen_random_uuid();
end
$$;

-- Prevents that the books of a holder are moved or summed up until the transaction ends. Every posting of income takes the same lock.
create function share_holder_of_books(holder uuid) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('ledger.holder:' || holder, 0));
end
$$;

-- The columns of tables that the views of the learner read, also through other views. Where a database is distributed, the learner may read them without the views.
create function list_learner_columns() returns table (relation oid, attribute integer) language sql stable as $$
  with recursive sources (view, relation, attribute) as (
    select ev_class, refobjid, refobjsubid from pg_rewrite join pg_depend on classid = 'pg_rewrite'::regclass and objid = pg_rewrite.oid
    where refclassid = 'pg_class'::regclass and refobjsubid > 0 and refobjid <> ev_class
  ), readable (view) as (
    select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v' and has_table_privilege('tessera_learner', oid, 'select')
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    union
    select sources.relation from readable join sources on sources.view = readable.view join pg_class on oid = sources.relation and relkind = 'v'
  )
  select distinct sources.relation, sources.attribute
  from readable join sources on sources.view = readable.view join pg_class on oid = sources.relation and relkind = 'r'
$$;

-- Reads whether an organisation is suspended, and prevents that this changes until the transaction ends. The row is read once the lock is held. No row is locked,
-- because that would lock all organisations of a distributed database.
create function hold_standing(org uuid) returns table (suspended_at timestamptz) language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('orgs.standing:' || org, 0));
  return query select organisations.suspended_at from organisations where id = org;
end
$$;
