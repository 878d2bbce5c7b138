import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts';
import { openWorkshop } from '../cluster/programs.ts';
import { writeEarlierTree } from '../releases/earlier-tree.ts';
import { describeUpgrade, hasPassed, rollUpgrade } from './roll-upgrade.ts';

/*
 * Upgrades two nodes under load from an earlier version to this tree, one after the other, and back: `node test/operating/rolling-upgrade.ts`.
 * `--from` is the earlier commit, by default the newest release; `--calm-ms` is how long each mixture of versions serves. The exit code is 1 if a request
 * fails, a write is lost, or something of one version is not valid on the other.
 */
const root = path.join(import.meta.dirname, '../..');

/** Before the first release: the last commit with 38 of the migrations. Since then an answer has the item that waits, which both versions must know. */
const before_releases = '9ebcc158';

const { values } = parseArgs({
  options: { from: { type: 'string' }, 'calm-ms': { type: 'string', default: '10000' } },
});

async function runRollingUpgrade(): Promise<void> {
  await using cleaning = new AsyncDisposableStack();
  const workshop = await openWorkshop(cleaning);
  const folder = mkdtempSync(path.join(tmpdir(), 'tessera-rolling-'));
  cleaning.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const commit = values.from ?? findNewestRelease() ?? before_releases;
  const earlier = path.join(folder, 'earlier');
  writeEarlierTree(commit, earlier);
  const isBackported = addTolerance(earlier);
  const postgres = await startEmbeddedPostgres({ dataDir: path.join(workshop.folder, 'data') });
  cleaning.defer(() => postgres.stop());
  const settings = await createDatabase(postgres.connection);
  const trees = { earlier, later: root };
  const upgrade = await rollUpgrade(cleaning, workshop, {
    trees,
    settings,
    calm_ms: Number(values['calm-ms']),
  });
  const start = `From ${commit}${isBackported ? ', with the migrator and the version number of this tree,' : ''} and back.`;
  process.stdout.write(`${start}\n${describeUpgrade(upgrade)}\n`);
  if (hasPassed(upgrade)) return workshop.remove();
  process.stderr.write(`The logs are in ${workshop.folder}.\n`);
  process.exitCode = 1;
}

function findNewestRelease(): string | undefined {
  const tags = execFileSync('git', ['tag', '--list', 'v*', '--sort=-version:refname'], {
    cwd: root,
    encoding: 'utf8',
  });
  return tags.split('\n')[0] || undefined;
}

/** No commit before the first release starts on a newer database. So that the way back can be tried, an older one gets the migrator of this tree. */
function addTolerance(tree: string): boolean {
  const migrator = 'src/platform/database/migrate.ts';
  if (readFileSync(path.join(tree, migrator), 'utf8').includes('works_from')) return false;
  cpSync(path.join(root, migrator), path.join(tree, migrator));
  const file = path.join(tree, 'package.json');
  const project = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...project, version: '1.0.0' }));
  return true;
}

async function createDatabase(server: pg.ClientConfig): Promise<pg.ClientConfig> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query('create database rolling');
  await client.end();
  return { ...server, database: 'rolling' };
}

await runRollingUpgrade();
