import type pg from 'pg';
import { listPlacedTables } from './tables.ts';

/** The name of the trigger on tables of the first node. */
export const together_trigger = 'commit_together';

/** Its row tells which migrations ran, in transactions that change tables on every node, which Citus commits together anyway. */
const without = 'migrations';

/**
 * Has a transaction commit on all nodes or on none, also one that writes to one other node and to tables of the first node. Citus does not see what is written to
 * these: it would commit on the other node first, and a first node that is killed then has lost its part. A statement on a table that Citus sees
 * makes it use two phases (https://docs.citusdata.com/en/v13.0/get_started/concepts.html), even if it changes no row; statements inside other triggers follow one that did so.
 */
export async function commitTogether(client: pg.Client): Promise<void> {
  await client.query(`
    create table if not exists distribution.commits (id integer primary key);
    grant select, update on distribution.commits to public;
    select citus_add_local_table_to_metadata('distribution.commits')
    where not exists (select from pg_dist_partition where logicalrelid = 'distribution.commits'::regclass);
    create or replace function distribution.commit_together() returns trigger language plpgsql as $$
    begin
      if pg_trigger_depth() = 1 and coalesce(current_setting('distribution.commits_together', true), '') = '' then
        update distribution.commits set id = id where id = 0;
        perform set_config('distribution.commits_together', 'on', true);
      end if;
      return null;
    end
    $$;`);
  for (const { table, place } of await listPlacedTables(client))
    if (place === 'single' && table !== without)
      await client.query(`
        create or replace trigger ${together_trigger} after insert or update or delete on ${client.escapeIdentifier(table)}
        for each statement execute function distribution.commit_together()`);
}
