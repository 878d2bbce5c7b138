import type { Reader, Statement } from '#platform/database/database.ts';
import type { TestApp } from './harness.ts';

/** Runs what `read` sends and counts the blocks that PostgreSQL touches. */
export async function countBlocks(app: TestApp, read: (db: Reader) => Promise<unknown>): Promise<number> {
  let blocks = 0;
  const explain = async (statement: Statement) => {
    // Without a name, PostgreSQL plans the statement for its values.
    const { rows } = await client.query({
      text: `explain (analyze, buffers, format json) ${statement.text}`,
      values: [...statement.values],
    });
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    return [{ count: 0 }];
  };
  let client!: Parameters<Parameters<TestApp['sql']['transaction']>[0]>[0]['client'];
  await app.sql.transaction(async (tx) => {
    ({ client } = tx);
    const findFirst = async (statement: Statement) => (await explain(statement))[0];
    await read({ list: explain, one: findFirst, count: findFirst } as unknown as Reader);
  });
  return blocks;
}
