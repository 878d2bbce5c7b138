import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { cleanUpAfterFile } from '../clean-up.ts';

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const timeout = 120_000;

/** Builds the package as it is published, and installs it in an empty project without the network. @returns the project's folder. */
export async function installPackedClient(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tessera-client-'));
  cleanUpAfterFile(() => rm(folder, { recursive: true, force: true }));
  const client = path.join(root, 'client');
  await run(process.execPath, ['build.ts'], { cwd: client, timeout });
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: client, timeout });
  const [tarball] = await readdir(folder);
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball!}`], {
    cwd: folder,
    timeout,
  });
  return folder;
}

/** Compiles a file of the project with the strictest settings of its users. Rejects with the compiler's complaints. */
export async function compileFile(folder: string, file: string): Promise<void> {
  const settings = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2023'];
  const modules = [
    '--module',
    'nodenext',
    '--types',
    '',
    '--lib',
    'es2023,dom,dom.iterable,dom.asynciterable',
  ];
  const compiler = path.join(root, 'node_modules/.bin/tsc');
  await run(process.execPath, [compiler, ...settings, ...modules, file], { cwd: folder, timeout }).catch(
    (error: unknown) => {
      throw new Error((error as { readonly stdout: string }).stdout);
    },
  );
}

/** Runs a program of the project. @returns what it has printed as JSON. */
export async function runProgram(
  folder: string,
  file: string,
  ...arguments_: readonly string[]
): Promise<unknown> {
  const { stdout } = await run(process.execPath, [file, ...arguments_], { cwd: folder, timeout });
  return JSON.parse(stdout) as unknown;
}
