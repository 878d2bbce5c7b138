import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');

/** Writes the tree of a commit, or of a release's tag, into a new folder. It shares the packages that are installed here, but has its own workspaces. */
export function writeEarlierTree(commit: string, folder: string): void {
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1_000_000_000 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const installed = path.join(root, 'node_modules');
  mkdirSync(path.join(folder, 'node_modules/@tessera'), { recursive: true });
  for (const name of readdirSync(installed))
    if (name !== '@tessera' && name !== '.cache')
      symlinkSync(path.join(installed, name), path.join(folder, 'node_modules', name));
  for (const name of readdirSync(path.join(folder, 'packages')))
    symlinkSync(path.join(folder, 'packages', name), path.join(folder, 'node_modules/@tessera', name));
}
