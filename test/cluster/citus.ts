import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { findFreePort } from '../../bench/lib/ports.ts';
import { waitFor, type Program, type Workshop } from './programs.ts';

const version = 'v13.2.2';
const postgres = '/usr/lib/postgresql/15';
const share = '/usr/share/postgresql/15';

/**
 * Builds Citus from its public source for Debian's PostgreSQL 15, unless `folder` has the build, and installs it beside a copy of PostgreSQL, so
 * that nothing of the system changes.
 *
 * @param source A clone of Citus or its URL.
 * @returns the root of the installation.
 */
export async function buildCitus(source: string, folder: string): Promise<string> {
  const root = path.resolve(folder, 'root');
  const isBuilt = await access(path.join(root, postgres, 'lib/citus.so')).then(
    () => true,
    () => false,
  );
  if (!isBuilt) runBuild(source, path.resolve(folder), root);
  return root;
}

function runBuild(source: string, folder: string, root: string): void {
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

/** A server with Citus: the coordinator or a worker. */
export type CitusServer = {
  readonly name: string;
  readonly port: number;
  /** Starts it, and waits until it accepts connections. */
  readonly start: () => Promise<void>;
  /** Kills all of its processes at the same time, without a warning. */
  readonly kill: () => Promise<void>;
  /** Runs a statement in a database, `postgres` unless given, as the superuser. */
  readonly runStatement: (statement: string, database?: string) => Promise<void>;
};

type ServerOptions = {
  readonly root: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, string | number>>;
};

/** Creates an empty server on loopback, which trusts every local user. */
export async function prepareServer(
  cleaning: AsyncDisposableStack,
  workshop: Workshop,
  { root, name, settings }: ServerOptions,
): Promise<CitusServer> {
  const bin = path.join(root, postgres, 'bin');
  const data = path.join(await workshop.makeDirectory(name), 'data');
  const port = await findFreePort();
  await createFiles(workshop, bin, name, data);
  const words = ['-D', data, ...listOptions({ port, ...settings })];
  const address = ['-h', '127.0.0.1', '-p', String(port)];
  let program: Program | undefined;
  const kill = async () => {
    if (program) await killServer(program);
  };
  cleaning.defer(kill);
  return {
    name,
    port,
    kill,
    start: async () => {
      program = await workshop.start(name, path.join(bin, 'postgres'), words, { asAccount: true });
      await waitFor(name, 60, async () => {
        execFileSync(path.join(bin, 'pg_isready'), ['-q', ...address]);
        return true;
      });
    },
    runStatement: async (statement, database = 'postgres') => {
      const psql = [...address, '-U', 'postgres', '-v', 'ON_ERROR_STOP=1', '-c', statement, database];
      execFileSync(path.join(bin, 'psql'), psql, { stdio: 'ignore' });
    },
  };
}

async function createFiles(workshop: Workshop, bin: string, name: string, data: string): Promise<void> {
  const words = ['-D', data, '-U', 'postgres', '-A', 'trust', '-N'];
  const initdb = await workshop.start(`${name}-initdb`, path.join(bin, 'initdb'), words, { asAccount: true });
  if (initdb.child.exitCode === null) await once(initdb.child, 'exit');
}

function listOptions(settings: Readonly<Record<string, string | number>>): readonly string[] {
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_preload_libraries: 'citus',
    max_connections: 300,
    max_prepared_transactions: 300,
    wal_level: 'logical',
    'citus.shard_count': 4,
    'citus.node_conninfo': 'sslmode=disable',
    ...settings,
  };
  return Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

/** Kills the processes that serve connections as well: each is in a process group of its own. */
async function killServer({ child, kill }: Program): Promise<void> {
  const file = `/proc/${child.pid}/task/${child.pid}/children`;
  const children = (await readFile(file, 'utf8').catch(() => '')).split(' ').map(Number);
  await kill();
  for (const pid of children)
    try {
      if (pid > 1) process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
}
