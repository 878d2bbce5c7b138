import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cleanUpAfterFile } from '../clean-up.ts';
import { runProgram, type TesseraProcess } from '../process/run-tessera.ts';

/** A file system of a fixed size, in a mount namespace of its own: it disappears with its processes. */
export type SmallDisk = {
  /** Its directory, for the processes that run on it. */
  readonly directory: string;
  /** Another path to it, for the test itself. */
  readonly outside: string;
  /** Writes a file until no byte is left. */
  fill(): void;
  /** Removes what {@link SmallDisk.fill} wrote. */
  free(): void;
  /** Runs the service or a command of it where the disk is mounted. */
  run(words: readonly string[], environment: Readonly<Record<string, string>>): TesseraProcess;
};

/** Whether this account may mount a file system. Only root on Linux may, and not in every container. */
export const canMount = isMountPermitted();

function isMountPermitted(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const main = path.resolve(import.meta.dirname, '../../src/app/main.js');

/** Mounts a disk of `size` (such as `150m`), on a new directory or on a given one. It is unmounted after the test file. */
export async function openSmallDisk(size: string, mountPoint?: string): Promise<SmallDisk> {
  const directory = mountPoint ?? (await mkdtemp(path.join(tmpdir(), 'tessera-disk-')));
  const script = `mount -t tmpfs -o size=${size},mode=755 none "$1" && echo mounted && exec sleep infinity`;
  const holder = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUpAfterFile(() => {
    holder.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });
  await once(holder.stdout, 'data');
  const outside = `/proc/${holder.pid}/root${directory}`;
  const filler = path.join(outside, 'filler');
  return {
    directory,
    outside,
    fill: () => fillDisk(filler),
    free: () => rmSync(filler),
    run: (words, environment) =>
      runProgram('nsenter', ['-t', String(holder.pid), '-m', process.execPath, main, ...words], environment),
  };
}

/** Writes until the disk is full, with ever smaller pieces. */
function fillDisk(file: string): void {
  const descriptor = openSync(file, 'a');
  try {
    for (let bytes = 1_048_576; bytes >= 1; bytes = Math.floor(bytes / 2)) {
      const piece = Buffer.alloc(bytes);
      while (writeWhole(descriptor, piece));
    }
  } finally {
    closeSync(descriptor);
  }
}

function writeWhole(descriptor: number, piece: Buffer): boolean {
  try {
    return writeSync(descriptor, piece) === piece.length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}
