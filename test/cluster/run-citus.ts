import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { buildCitus, prepareServer } from './citus.ts';
import { workersVariable } from './left-out.ts';
import { openWorkshop } from './programs.ts';

/** Tests need no data after a crash. Citus has a process of its own in each database, and each test file has a database. */
const settings = { fsync: 'off', max_worker_processes: 200 };

/**
 * Runs test files on a database that is distributed over Citus: a coordinator and two workers on loopback. Citus is built from its public
 * source for Debian's PostgreSQL 15 and installed beside a copy of it, so that nothing of the system changes. docs/scale.md names the packages.
 *
 *     node test/cluster/run-citus.ts SOURCE FOLDER [test files]
 *
 * SOURCE is a clone of Citus or its URL. FOLDER receives the build, which a second run uses again. Without test files, the journeys are run. The
 * exit code is 1 if a test fails. The errors of the coordinator are listed by number, so that a statement that Citus cannot run is seen even
 * where the service has tried again.
 */
async function runOnCitus([source, folder, ...files]: readonly string[]): Promise<void> {
  if (!source || !folder) throw new Error('usage: node test/cluster/run-citus.ts SOURCE FOLDER [test files]');
  const root = await buildCitus(source, folder);
  await using cleaning = new AsyncDisposableStack();
  const workshop = await openWorkshop(cleaning);
  const ports: number[] = [];
  for (const name of ['coordinator', 'worker-1', 'worker-2']) {
    const server = await prepareServer(cleaning, workshop, { root, name, settings });
    await server.start();
    await server.runStatement('create role tessera_learner login');
    ports.push(server.port);
  }
  const [coordinator, ...workers] = ports;
  const tests = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--mode=cluster',
      ...(files.length > 0 ? files : ['test/journeys/main-job', 'test/journeys/matching']),
    ],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        TESSERA_TEST_DATABASE_URL: `postgres://postgres@127.0.0.1:${coordinator}/postgres`,
        [workersVariable]: workers.map((port) => `127.0.0.1:${port}`).join(),
      },
    },
  );
  const [code] = (await once(tests, 'exit')) as [number | null];
  await printErrors(path.join(workshop.folder, 'coordinator.log'));
  process.exitCode = code === 0 ? 0 : 1;
  if (code === 0) await workshop.remove();
}

/** Prints each error of the log and how often it occurred. Violated constraints and lost races are among them, as on one server. */
async function printErrors(log: string): Promise<void> {
  const counts = new Map<string, number>();
  for (const [, error] of (await readFile(log, 'utf8')).matchAll(/ERROR: {2}(.*)/g))
    counts.set(error!, (counts.get(error!) ?? 0) + 1);
  console.log(counts.size === 0 ? 'The coordinator logged no error.' : 'Errors of the coordinator:');
  for (const [error, count] of counts) console.log(`${count} × ${error}`);
}

await runOnCitus(process.argv.slice(2));
