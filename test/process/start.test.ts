import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import { waitUntilEnded } from '@tessera/embedded-postgres/testing';
import { findFreePorts, prepareDataDir, readPostgresPid, runNpm, runProgram } from './run-tessera.ts';

const oldest_major = Number(project.engines.node.replace('>=', ''));
const oldNodes = ['/usr/bin/node', '/usr/local/bin/node'].filter((program) => isOldNode(program));

it.each([
  ...['v12.22.12', `v${oldest_major - 2}.18.0`].map(
    (version) => [version, () => runFakeVersion(version)] as const,
  ),
  ...oldNodes.map(
    (program) => [readVersion(program), () => runProgram(program, ['src/app/main.js'])] as const,
  ),
])('refuses to start on Node %s, in one line', async (version, run) => {
  const { exited, readErrors, readOutput } = run();
  expect([await exited, readOutput()]).toEqual([1, '']);
  expect(readErrors()).toMatch(/^tessera: needs Node [^\n]+\n$/);
  expect(readErrors()).toContain(`needs Node ${oldest_major} or newer, but this is ${version};`);
});

it('npm start stops the service and its database when only npm gets the signal', async () => {
  const environment = { TESSERA_DATA_DIR: await prepareDataDir(), ...(await findFreePorts()) };
  const npm = runNpm(['start'], environment);
  await npm.ready;
  const postgres = await readPostgresPid(environment.TESSERA_DATA_DIR);
  npm.process.kill('SIGTERM');
  expect([await npm.exited, await waitUntilEnded(postgres)]).toEqual([0, true]);
});

/** Runs the entry with this Node, which pretends to have another version. */
function runFakeVersion(version: string) {
  const pretence = `Object.defineProperty(process, 'version', { value: '${version}' });`;
  return runProgram(process.execPath, ['--import', `data:text/javascript,${pretence}`, 'src/app/main.js']);
}

function isOldNode(program: string): boolean {
  return existsSync(program) && Number(readVersion(program).slice(1).split('.')[0]) < oldest_major;
}

function readVersion(program: string): string {
  return execFileSync(program, ['--version'], { encoding: 'utf8' }).trim();
}
