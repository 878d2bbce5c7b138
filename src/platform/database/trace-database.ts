import type { Database, Executor, Statement } from '#platform/database/database.ts';
import type { Telemetry } from '#platform/telemetry/telemetry.ts';

const system = { 'db.system.name': 'postgresql' };

/**
 * Wraps a database so that every transaction and every statement of a request or a task is a span. A span has the verb of the statement, its
 * first table and its name, which is the one in `pg_prepared_statements`, but never its values.
 */
export function traceDatabase(database: Database, telemetry: Telemetry): Database {
  return {
    ...database,
    ...traceExecutor(database, telemetry),
    transaction: (work, options) =>
      telemetry.traceStep('transaction', system, () =>
        database.transaction((tx) => work({ ...tx, ...traceExecutor(tx, telemetry) }), options),
      ),
  };
}

function traceExecutor(executor: Executor, telemetry: Telemetry): Executor {
  const traceStatement = <Result>(statement: Statement, run: () => Promise<Result>) => {
    const summary = summariseStatement(statement);
    const attributes = { ...system, 'db.query.summary': summary, 'tessera.statement': statement.name };
    return telemetry.traceStep(summary, attributes, run);
  };
  return {
    list: (statement) => traceStatement(statement, () => executor.list(statement)),
    find: (statement) => traceStatement(statement, () => executor.find(statement)),
    one: (statement) => traceStatement(statement, () => executor.one(statement)),
    run: (statement) => traceStatement(statement, () => executor.run(statement)),
  };
}

const summaries = new Map<string, string>();
const summaries_max = 2_000;

/**
 * Returns the verb and the first table. The result is cached by the statement's name, because the code has a limited number of statements.
 */
function summariseStatement({ name, text }: Statement): string {
  const known = summaries.get(name);
  if (known !== undefined) return known;
  const verb = /\w+/.exec(text)?.[0].toLowerCase() ?? 'statement';
  const table = /\b(?:from|into|update)\s+(?!set\b)(\w+)/i.exec(text)?.[1];
  const summary = table === undefined ? verb : `${verb} ${table}`;
  if (summaries.size < summaries_max) summaries.set(name, summary);
  return summary;
}
