import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { readErrorCode } from './error-details.ts';

const run = promisify(execFile);

/** The operating system account that the database runs as. `isOurs` is true if it is the account of this process. */
export type Account = { readonly uid: number; readonly gid: number; readonly isOurs: boolean };

/** PostgreSQL needs a passwd entry for its account, so these accounts are tried by name. macOS has `_postgres`. */
const UNPRIVILEGED_NAMES = ['postgres', '_postgres', 'nobody', 'daemon'];

/**
 * Chooses the account for the database. This is the account of this process unless it is root, as which PostgreSQL refuses to run. Root
 * uses the owner of the existing cluster, or else the first unprivileged account of this machine.
 */
export async function chooseAccount(cluster: string): Promise<Account> {
  const uid = process.getuid!();
  const owner = await findOwner(cluster);
  if (uid !== 0) {
    if (owner !== undefined && owner !== uid) {
      throw new Error(
        `The database in ${cluster} belongs to the account with uid ${owner}, but this service runs with uid ${uid}. Run it with that account.`,
      );
    }
    return { uid, gid: process.getgid!(), isOurs: true };
  }
  const names = owner === undefined || owner === 0 ? UNPRIVILEGED_NAMES : [String(owner)];
  for (const name of names) {
    const account = await findAccount(name);
    if (account) return account;
  }
  throw new Error(
    `PostgreSQL does not run as root, and this machine has none of the accounts ${names.join(', ')}. ` +
      'Run the service as an ordinary user, or use a PostgreSQL server of your own.',
  );
}

/** Returns the options with which `spawn` runs a child as `account`. */
export function toSpawnOptions(account: Account): { readonly uid?: number; readonly gid?: number } {
  return account.isOurs ? {} : { uid: account.uid, gid: account.gid };
}

/**
 * Checks whether `account` can enter `directory`. A child process of that account tries it, because the permission bits along the path
 * do not show access control lists and security modules.
 */
export async function canReach(account: Account, directory: string): Promise<boolean> {
  if (account.isOurs) return true;
  const options = { ...toSpawnOptions(account), cwd: '/', env: {} };
  return run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], options).then(
    () => true,
    () => false,
  );
}

async function findOwner(cluster: string): Promise<number | undefined> {
  try {
    return (await stat(cluster)).uid;
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function findAccount(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([readId('-u', name), readId('-g', name)]);
    // On macOS, the account `nobody` has the uid -2, which some functions of Node refuse.
    return uid > 0 && gid > 0 ? { uid, gid, isOurs: false } : undefined;
  } catch {
    return undefined;
  }
}

async function readId(flag: '-u' | '-g', name: string): Promise<number> {
  return Number((await run('id', [flag, name])).stdout);
}
