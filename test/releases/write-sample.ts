import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { findFreePort } from '../../bench/lib/ports.ts';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { writeEarlierTree } from './earlier-tree.ts';
import { collectSample, sample_key, writeSample } from './sample.ts';

/*
 * Writes what a release leaves in a database: `node test/releases/write-sample.ts COMMIT VERSION` runs the demonstration of that commit and keeps its rows
 * without the synthetic members in `test/releases/VERSION.gz`. Run it for each release, before the tag.
 */
const [commit, version] = process.argv.slice(2);

async function runAndWrite(): Promise<void> {
  await using cleaning = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), 'tessera-sample-'));
  await chmod(folder, 0o755);
  cleaning.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const tree = path.join(folder, 'tree');
  writeEarlierTree(commit!, tree);
  const dataDir = path.join(folder, 'data');
  const ports = [await findFreePort(), await findFreePort()];
  const env = {
    PATH: process.env['PATH'],
    TESSERA_DATA_DIR: dataDir,
    TESSERA_MASTER_KEY: sample_key,
    TESSERA_PORT: String(ports[0]),
    TESSERA_INTERNAL_PORT: String(ports[1]),
  };
  const run = (...words: string[]) =>
    spawn(process.execPath, ['src/app/main.js', ...words], { cwd: tree, env, stdio: ['ignore', 'pipe', 2] });
  const demo = run('demo');
  const ended = once(demo, 'exit');
  cleaning.defer(async () => {
    demo.kill('SIGTERM');
    await ended;
  });
  await waitForLine(demo, /Ctrl-C/);
  const unloading = run('cli', 'demo', 'unload');
  unloading.stdout!.resume();
  const [code] = await once(unloading, 'exit');
  if (code !== 0) throw new Error('the synthetic members could not be removed');
  const client = new pg.Client(await findRunningPostgres(dataDir));
  await client.connect();
  writeSample(await collectSample(client), path.join(import.meta.dirname, `${version}.gz`));
  await client.end();
}

/** Waits until a program has printed a line, and throws if it ends before. */
async function waitForLine(child: ChildProcess, line: RegExp): Promise<void> {
  let output = '';
  for await (const chunk of child.stdout!) {
    output += String(chunk);
    if (line.test(output)) break;
  }
  if (!line.test(output)) throw new Error(`the demonstration ended early: ${output}`);
}

await runAndWrite();
