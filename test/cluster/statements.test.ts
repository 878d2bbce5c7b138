import path from 'node:path';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { createEvaluator } from '../../scripts/statements/evaluate.ts';
import { readStatements } from '../../scripts/statements/read-statements.ts';
import { isTest, readSources } from '../../scripts/tidy/source.ts';
import { cleanUpAfterFile } from '../clean-up.ts';
import { cloneDatabase } from '../harness.ts';
import { listWorkers } from './distribute-database.ts';

const root = path.join(import.meta.dirname, '../..');

test.runIf(listWorkers(inject('server')).length > 0)(
  'a distributed database runs every statement of the modules',
  { timeout: 600_000 },
  async () => {
    const client = new pg.Client(await cloneDatabase());
    await client.connect();
    cleanUpAfterFile(() => client.end());
    const sources = readSources(root, 'src').filter((source) => !isTest(source.path));
    const statements = readStatements(sources, createEvaluator(root));
    const faults: string[] = [];
    for (const { file, owner, variants } of statements.filter((each) => each.file.startsWith('src/modules/')))
      for (const { text } of variants) {
        const fault = await findRefusal(client, text);
        if (fault !== undefined) faults.push(`${file} ${owner}: ${fault}`);
      }
    expect(faults).toEqual([]);
  },
);

/** Runs a statement with sample values, and takes it back. @returns why the database cannot run it; samples that do not fit its rows are not a reason. */
async function findRefusal(client: pg.Client, text: string): Promise<string | undefined> {
  await client.query('begin');
  try {
    // What cannot be prepared on one server either, such as `lock table`, is left to test/statements.test.ts.
    const isPrepared = await client.query(`prepare tried as ${text}`).then(
      () => true,
      () => false,
    );
    if (!isPrepared) return undefined;
    const { rows } = await client.query<{ samples: string | null }>(sampleParameters);
    await client.query(`execute tried ${rows[0]!.samples ?? ''}`);
    return undefined;
  } catch (error) {
    const { code = '', message } = error as pg.DatabaseError;
    return misfits.test(code) || message.includes('violates') ? undefined : message;
  } finally {
    await client.query('rollback; deallocate all');
  }
}

/** Classes of errors that depend on values: of data, of constraints, and an insertion that meets its own row. */
const misfits = /^(?:22|23|21000)/;

/** Writes a value for each parameter of the prepared statement. */
const sampleParameters = `
  with parameters as (
    select place, format_type(type, null) as name, coalesce(nullif(typelem, 0), type) as element, typcategory = 'A' as is_list
    from pg_prepared_statements cross join unnest(parameter_types) with ordinality as given (type, place) join pg_type on pg_type.oid = type
    where pg_prepared_statements.name = 'tried'
  ), samples as (
    select *, coalesce((select min(enumlabel::text) from pg_enum where enumtypid = element), case format_type(element, null)
      when 'uuid' then '00000000-0000-8000-8000-000000000001' when 'text' then 'x' when 'character varying' then 'x' when 'name' then 'x'
      when 'boolean' then 'true' when 'json' then '[]' when 'jsonb' then '[]' when 'bytea' then '\\x00' when 'inet' then '::1'
      when 'date' then '2026-03-02' when 'timestamp with time zone' then '2026-03-02' when 'timestamp without time zone' then '2026-03-02'
      when 'interval' then '1 s' when 'pg_snapshot' then '1:1:' else '1' end) as sample
    from parameters
  )
  select '(' || string_agg(format('%s::%s', quote_literal(case when is_list then array[sample]::text else sample end), name), ', ' order by place) || ')' as samples
  from samples`;
