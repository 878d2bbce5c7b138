import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

const listed = new AsyncLocalStorage<string[]>();
// Every statement of a pool or a transaction passes here, and is called below with its own client.
// oxlint-disable-next-line typescript/unbound-method
const sendQuery = pg.Client.prototype.query as (...given: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  const [statement] = given as [string | { readonly text: string }];
  listed.getStore()?.push(typeof statement === 'string' ? statement : statement.text);
  return sendQuery.apply(this, given);
} as typeof pg.Client.prototype.query;

/** Lists the texts of the statements that some work sends to PostgreSQL, without those that the service sends meanwhile on its own account. */
export async function listStatements(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  await listed.run(statements, work);
  return statements;
}
