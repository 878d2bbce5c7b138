import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { findFreePort } from '../../bench/lib/ports.ts';
import { workersVariable } from './left-out.ts';
import { openWorkshop, waitFor, type Workshop } from './programs.ts';

const version = 'v13.2.2';
const postgres = '/usr/lib/postgresql/15';
const share = '/usr/share/postgresql/15';

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
  const root = path.resolve(folder, 'root');
  if (!(await isBuilt(root))) buildCitus(source, path.resolve(folder), root);
  await using cleaning = new AsyncDisposableStack();
  const workshop = await openWorkshop(cleaning);
  const [coordinator, ...workers] = [
    await startServer(workshop, root, 'coordinator'),
    await startServer(workshop, root, 'worker-1'),
    await startServer(workshop, root, 'worker-2'),
  ];
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

async function isBuilt(root: string): Promise<boolean> {
  return access(path.join(root, postgres, 'lib/citus.so')).then(
    () => true,
    () => false,
  );
}

function buildCitus(source: string, folder: string, root: string): void {
  const script = `
    set -e
    mkdir -p "${folder}" && cd "${folder}" && rm -rf source root
    git clone -q --depth 1 --branch ${version} "${source.startsWith('/') ? `file://${source}` : source}" source
    cd source
    # PostgreSQL 15.18 has a function of this name as well.
    sed -i 's/have_createdb_privilege/citus_have_createdb_privilege/' src/include/pg_version_compat.h src/backend/distributed/commands/serialize_distributed_ddls.c
    ./configure --without-libcurl --without-pg-version-check PG_CONFIG=${postgres}/bin/pg_config
    nice make -j2 with_llvm=no
    mkdir -p "${root}${path.dirname(postgres)}" "${root}${path.dirname(share)}"
    cp -a ${postgres} "${root}${path.dirname(postgres)}/"
    cp -a ${share} "${root}${path.dirname(share)}/"
    make with_llvm=no DESTDIR="${root}" install`;
  execFileSync('bash', ['-c', script], { stdio: 'inherit' });
}

/** Starts a server with Citus. @returns its port. */
async function startServer(workshop: Workshop, root: string, name: string): Promise<number> {
  const bin = path.join(root, postgres, 'bin');
  const data = path.join(await workshop.makeDirectory(name), 'data');
  const port = await findFreePort();
  const initdb = await workshop.start(
    `${name}-initdb`,
    path.join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-N'],
    { asAccount: true },
  );
  if (initdb.child.exitCode === null) await once(initdb.child, 'exit');
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_preload_libraries: 'citus',
    fsync: 'off',
    max_connections: 300,
    max_prepared_transactions: 300,
    // Citus has a process of its own in each database, and each test file has a database.
    max_worker_processes: 200,
    wal_level: 'logical',
    'citus.shard_count': 4,
    'citus.node_conninfo': 'sslmode=disable',
  };
  const options = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  await workshop.start(name, path.join(bin, 'postgres'), ['-D', data, ...options], { asAccount: true });
  await waitFor(name, 60, async () => {
    execFileSync(path.join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]);
    return true;
  });
  const createRole = [
    '-h',
    '127.0.0.1',
    '-p',
    String(port),
    '-U',
    'postgres',
    '-c',
    'create role tessera_learner login',
  ];
  execFileSync(path.join(bin, 'psql'), [...createRole, 'postgres'], { stdio: 'ignore' });
  return port;
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
