import type pg from 'pg';
import { openClient } from '#platform/database/connections.ts';

/** Owns the schemas and runs the migrations. */
export const owner_role = 'tessera_owner';
/** What the service runs as: it reads and writes rows, and changes no schema, setting or role. */
export const service_role = 'tessera_service';
/** What learning reads as, in transactions of the service: nothing that the outcome model does not need (docs/decisions/learning.md). */
const learner_role = 'tessera_learner';

/**
 * Creates the roles where they are absent, and gives the owner everything in the database that another role owns, as in a database that an
 * earlier version made. docs/operating.md has the same grants for an external database.
 *
 * @param superuser The connection of a superuser to the database.
 */
export async function prepareRoles(superuser: pg.ClientConfig): Promise<void> {
  const client = await openClient(superuser);
  try {
    const { rows } = await client.query<{ ready: boolean }>(`
      select (select count(*) = 2 from pg_roles where rolname in ('${service_role}', '${learner_role}')) and pg_get_userbyid(datdba) = '${owner_role}' as ready
      from pg_database where datname = current_database()`);
    if (!rows[0]!.ready) await client.query(preparation);
  } finally {
    await client.end();
  }
}

/** One transaction. The database changes hands last, so that an interrupted preparation is repeated. */
const preparation = `do $$
declare
  command text;
begin
  if not exists (select from pg_roles where rolname = '${owner_role}') then
    create role ${owner_role} login;
  end if;
  if not exists (select from pg_roles where rolname = '${service_role}') then
    create role ${service_role} login;
  end if;
  if not exists (select from pg_roles where rolname = '${learner_role}') then
    create role ${learner_role};
  end if;
  grant ${learner_role} to ${service_role};
  alter default privileges for role ${owner_role} grant select, insert, update, delete on tables to ${service_role};
  alter default privileges for role ${owner_role} grant usage, select on sequences to ${service_role};
  alter default privileges for role ${owner_role} grant usage on schemas to ${service_role};
  for command in
    select format('alter schema %I owner to ${owner_role}', nspname) from pg_namespace where nspname = 'public'
    union all
    select format('grant usage on schema %I to ${service_role}', nspname) from pg_namespace where nspname = 'public'
    union all
    -- An index follows its table, as does the sequence of an identity column.
    select format('alter table %I.%I owner to ${owner_role}', nspname, relname)
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'public' and (relkind in ('r', 'p', 'v', 'm') or (relkind = 'S' and not exists (
      select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('a', 'i'))))
    union all
    select format('alter routine %s owner to ${owner_role}', pg_proc.oid::regprocedure)
    from pg_proc join pg_namespace on pg_namespace.oid = pronamespace where nspname = 'public'
    union all
    select format('alter type %I.%I owner to ${owner_role}', nspname, typname)
    from pg_type join pg_namespace on pg_namespace.oid = typnamespace where nspname = 'public' and typtype in ('e', 'd')
    union all
    select format('grant select, insert, update, delete on all tables in schema %I to ${service_role}', nspname)
    from pg_namespace where nspname = 'public'
    union all
    select format('grant usage, select on all sequences in schema %I to ${service_role}', nspname)
    from pg_namespace where nspname = 'public'
    union all
    select format('alter database %I owner to ${owner_role}', current_database())
  loop
    execute command;
  end loop;
end
$$`;
