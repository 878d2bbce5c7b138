import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const repository = path.join(import.meta.dirname, '../..');

/** The account that runs PostgreSQL and Patroni, because neither may run as root. Debian's package creates `postgres`. */
export type Account = { readonly uid: number; readonly gid: number };

/** The folder of one run: configurations, data and logs. */
export type Workshop = {
  readonly folder: string;
  readonly account: Account | undefined;
  /** Starts a program whose output goes to `name.log`. It and its children are killed at the end. */
  readonly start: (
    name: string,
    program: string,
    words: readonly string[],
    options?: StartOptions,
  ) => Promise<Program>;
  /** Fills in a file of `ops/high-availability` and returns the path of the result. */
  readonly fillIn: (
    template: string,
    name: string,
    values: Readonly<Record<string, string | number>>,
  ) => Promise<string>;
  readonly makeDirectory: (name: string) => Promise<string>;
  /** Removes the folder. A run that fails leaves it, with its logs. */
  readonly remove: () => Promise<void>;
};

export type StartOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** Runs the program as the account that runs PostgreSQL. */
  readonly asAccount?: boolean;
};

export type Program = {
  readonly child: ChildProcess;
  /** Kills the program and all its children at once, as a power failure does. */
  readonly kill: () => Promise<void>;
};

/** Prepares a folder in the directory for temporary files. */
export async function openWorkshop(cleaning: AsyncDisposableStack): Promise<Workshop> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tessera-cluster-'));
  await chmod(folder, 0o755);
  const account = process.getuid?.() === 0 ? await findAccount('postgres') : undefined;
  const makeDirectory = async (name: string) => {
    const directory = path.join(folder, name);
    await mkdir(directory, { mode: 0o700 });
    if (account) await chown(directory, account.uid, account.gid);
    return directory;
  };
  return {
    folder,
    account,
    makeDirectory,
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
    start: async (name, program, words, { env = {}, asAccount = false } = {}) => {
      const log = await open(path.join(folder, `${name}.log`), 'a');
      const child = spawn(program, words, {
        cwd: asAccount ? folder : repository,
        env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', ...env },
        stdio: ['ignore', log.fd, log.fd],
        detached: true,
        ...(asAccount && account),
      });
      await once(child, 'spawn');
      await log.close();
      cleaning.defer(() => killGroup(child));
      return { child, kill: () => killGroup(child) };
    },
    fillIn: async (template, name, values) => {
      const text = await readFile(path.join(repository, 'ops/high-availability', template), 'utf8');
      const file = path.join(folder, name);
      await writeFile(file, replacePlaceholders(text, values), { mode: 0o644 });
      return file;
    },
  };
}

function replacePlaceholders(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\$\{([A-Z_]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the placeholder ${name} has no value`);
    return String(value);
  });
}

async function findAccount(name: string): Promise<Account> {
  const line = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .find((each) => each.startsWith(`${name}:`));
  if (!line)
    throw new Error(`the account ${name} does not exist: install the packages that docs/scale.md names`);
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

async function killGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    return;
  }
  await exited;
}

/**
 * Waits until `check` returns a value that is not undefined or false.
 *
 * @throws Error that names `what` after `seconds`.
 */
export async function waitFor<Result>(
  what: string,
  seconds: number,
  check: () => Promise<Result | undefined | false>,
): Promise<Result> {
  const deadline = performance.now() + seconds * 1000;
  while (performance.now() < deadline) {
    const result = await check().catch(() => undefined);
    if (result !== undefined && result !== false) return result;
    await pause(100);
  }
  throw new Error(`waited ${seconds} s for ${what} without success`);
}
