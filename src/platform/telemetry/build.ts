import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** What runs: the version of the service and of Node, and the commit, or `unknown`. */
export type Build = { readonly version: string; readonly node: string; readonly commit: string };

const root = path.join(import.meta.dirname, '../../..');
const commitPattern = /^[0-9a-f]{40,64}$/;

/** Describes what runs. Without a configured commit, it is that of the checkout in `directory`, if there is one. */
export async function describeBuild(commit: string | undefined, directory: string = root): Promise<Build> {
  return {
    version: await readVersion(),
    node: process.version,
    commit: commit ?? (await findCommit(path.join(directory, '.git'))) ?? 'unknown',
  };
}

/** Reads the version of the service. */
export async function readVersion(): Promise<string> {
  const text = await readFile(path.join(root, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Reads the commit of a plain clone from its files, because git need not be installed where the service runs. */
async function findCommit(gitDir: string): Promise<string | undefined> {
  const readLine = (name: string) =>
    readFile(path.join(gitDir, name), 'utf8').then(
      (text) => text.trim(),
      () => undefined,
    );
  const head = await readLine('HEAD');
  const branch = head === undefined ? undefined : /^ref: (refs\/[\w./-]{1,200})$/.exec(head)?.[1];
  const commit = branch === undefined ? head : await readLine(branch);
  return commit !== undefined && commitPattern.test(commit) ? commit : undefined;
}
