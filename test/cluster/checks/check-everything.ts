import pg from 'pg';
import { kinds, type Load } from '../load/whole-load.ts';
import type { Operator } from '../operator.ts';
import { taskTable } from '../../../src/tables/tasks.ts';
import { waitFor } from '../programs.ts';
import { checkAcknowledged } from './check-acknowledged.ts';
import { checkConsistency } from './check-consistency.ts';
import { checkLists } from './check-lists.ts';
import { readColumn, type Findings } from './rows.ts';

/** Where to look after the load has stopped. */
export type Subject = {
  /** The database, as the superuser. */
  readonly settings: pg.ClientConfig;
  /** Every server that may hold a transaction that was prepared and has no end. */
  readonly servers: readonly pg.ClientConfig[];
  readonly operator: Operator;
};

/** Operators' commands that say by their exit code whether something is wrong. */
const commands = ['ledger check', 'audit verify', 'database check'];

/** Checks that nothing that was acknowledged is lost and that everything is consistent, and prints the result. Sets the exit code 1 otherwise. */
export async function checkEverything(load: Load, { settings, servers, operator }: Subject): Promise<void> {
  for (const server of servers)
    await waitFor(
      'the end of prepared transactions',
      180,
      async () => (await listPrepared(server)).length === 0,
    );
  const client = new pg.Client(settings);
  await client.connect();
  try {
    const failed = await waitForTasks(client);
    printCounts(load);
    const { matches, findings } = await checkLists(client, () => operator('matches', 'recompute'));
    console.log(`Compared with an undisturbed computation: ${matches} matches.`);
    await waitForTasks(client);
    printFindings({
      ...(await checkAcknowledged(client, load)),
      ...(await checkConsistency(client, load)),
      ...findings,
      'defects that clients saw': listDefects(load),
      'tasks that failed for good': failed,
      'commands that found something': await runCommands(operator),
    });
  } finally {
    await client.end();
  }
}

async function listPrepared(server: pg.ClientConfig): Promise<readonly string[]> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    return await readColumn(client, 'select gid from pg_prepared_xacts');
  } finally {
    await client.end();
  }
}

/** Waits until no task runs, is due or waits for its next attempt. @returns the names of those that have used up their attempts, and that no schedule repeats. */
async function waitForTasks(client: pg.Client): Promise<readonly string[]> {
  const waiting =
    "select name from tasks where status in ('queued', 'running') and (error is not null or due_at < now() + interval '1 minute')";
  await waitFor('the end of all tasks', 600, async () => (await readColumn(client, waiting)).length === 0);
  const repeated = taskTable.filter(({ every }) => every !== undefined).map(({ name }) => name);
  return readColumn(
    client,
    "select name || ': ' || coalesce(error, '') from tasks where status = 'failed' and name <> all($1::text[])",
    [repeated],
  );
}

function printCounts({ log }: Load): void {
  console.log(`\n| kind | acknowledged | replies by status |\n| --- | --- | --- |`);
  for (const kind of kinds) {
    const statuses = [...log.countStatuses(kind)].map(([status, count]) => `${status} ${count}`);
    console.log(`| ${kind} | ${log.list(kind).length} | ${statuses.join(', ')} |`);
  }
  console.log(`\nAssessments to the end of the first stage: ${log.list('assessments').length}.`);
}

/** A lost server is a 503; a 500 is a defect, which the log of a node describes. */
function listDefects({ log }: Load): readonly string[] {
  return kinds.flatMap((kind) => Array.from({ length: log.countStatuses(kind).get('500') ?? 0 }, () => kind));
}

async function runCommands(operator: Operator): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const command of commands)
    await operator(...command.split(' ')).catch(
      (error: unknown) => void faults.push((error as Error).message),
    );
  return faults;
}

function printFindings(findings: Findings): void {
  for (const [rule, found] of Object.entries(findings)) {
    const examples = found.length > 0 ? `, such as ${found.slice(0, 3).join('; ')}` : '';
    console.log(`${found.length === 0 ? 'ok' : 'FAULT'}: ${rule}: ${found.length}${examples}`);
    if (found.length > 0) process.exitCode = 1;
  }
}
