import { sql } from '#platform/database/database.ts';
import type { TestApp } from './harness.ts';

/** A row that was written: its table, and the statement that wrote it. */
export type WrittenRow = { readonly table_name: string; readonly statement: string };

/**
 * Notes every row that is inserted, changed or deleted in the database of a service from now on, also one that is changed to what it was.
 *
 * @returns a function that takes what was noted since it was called last.
 */
export async function watchWrites(app: TestApp): Promise<() => Promise<readonly WrittenRow[]>> {
  await app.sql.run(sql`create table noted_writes (table_name text not null, statement text not null)`);
  await app.sql.run(sql`
    create function note_write() returns trigger language plpgsql security definer as $$
    begin
      insert into noted_writes values (tg_table_name, current_query());
      return null;
    end $$`);
  await app.sql.run(sql`
    do $$
    declare watched text;
    begin
      for watched in select tablename from pg_tables where schemaname = 'public' and tablename <> 'noted_writes' loop
        execute format('create trigger note_write after insert or update or delete on %I for each row execute function note_write()', watched);
      end loop;
    end $$`);
  return () => app.sql.list(sql<WrittenRow>`delete from noted_writes returning table_name, statement`);
}
