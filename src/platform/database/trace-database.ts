import { cacheResults } from '#lib/cache-results.ts';
import type { Database, Executor, Statement, Transaction } from '#platform/database/database.ts';
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
        database.transaction((tx) => {
          const runAhead: Transaction['runAhead'] = (statement) =>
            traceStatement(telemetry, statement, () => tx.runAhead(statement));
          return work({ ...tx, ...traceExecutor(tx, telemetry), runAhead });
        }, options),
      ),
  };
}

function traceExecutor(executor: Executor, telemetry: Telemetry): Executor {
  return {
    list: (statement) => traceStatement(telemetry, statement, () => executor.list(statement)),
    find: (statement) => traceStatement(telemetry, statement, () => executor.find(statement)),
    one: (statement) => traceStatement(telemetry, statement, () => executor.one(statement)),
    count: (statement) => traceStatement(telemetry, statement, () => executor.count(statement)),
    run: (statement) => traceStatement(telemetry, statement, () => executor.run(statement)),
  };
}

function traceStatement<Result>(
  telemetry: Telemetry,
  statement: Statement,
  run: () => Promise<Result>,
): Promise<Result> {
  const summary = summariseText(statement.text);
  const attributes = { ...system, 'db.query.summary': summary, 'tessera.statement': statement.name };
  return telemetry.traceStep(summary, attributes, run);
}

const summaries_max = 2_000;

/** Returns the verb and the first table of a text. The results are cached, because the code has a limited number of statements. */
const summariseText = cacheResults(summaries_max, (text) => {
  const verb = /\w+/.exec(text)?.[0].toLowerCase() ?? 'statement';
  const table = /\b(?:from|into|update)\s+(?!set\b)(\w+)/i.exec(text)?.[1];
  return table === undefined ? verb : `${verb} ${table}`;
});
