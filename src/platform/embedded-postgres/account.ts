import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { readErrorCode } from './error-details.ts';

const run = promisify(execFile);

/** The operating system's account that the database runs as. `isOurs` when it is the account of this process. */
export type Account = { readonly uid: number; readonly gid: number; readonly isOurs: boolean };

/** PostgreSQL wants a passwd entry for its account, so only known names will do. macOS has `_postgres`. */
const UNPRIVILEGED_NAMES = ['postgres', '_postgres', 'nobody', 'daemon'];

/**
 * Chooses the account for the database: our own, or as root, which PostgreSQL refuses to run as, the owner of the existing cluster,
 * or else the first unprivileged account that this machine has.
 */
export async function chooseAccount(cluster: string): Promise<Account> {
  const uid = process.getuid!();
  const owner = await findOwner(cluster);
  if (uid !== 0) {
    if (owner !== undefined && owner !== uid) {
      throw new Error(
        `The database in ${cluster} belongs to the account with uid ${owner}, and this service runs with uid ${uid}.`,
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
    `PostgreSQL does not run as root, and this machine knows none of the accounts ${names.join(', ')}. ` +
      'Run the service as an ordinary user, or set TESSERA_DATABASE_URL.',
  );
}

/** What `spawn` needs to run a child as `account`. */
export function toSpawnOptions(account: Account): { readonly uid?: number; readonly gid?: number } {
  return account.isOurs ? {} : { uid: account.uid, gid: account.gid };
}

/**
 * Whether `account` may enter `directory`. Asked of the kernel by a child of that account, because permission bits along the path
 * say nothing of access lists and security modules.
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
    // macOS gives nobody the uid -2, which not every call of node takes.
    return uid > 0 && gid > 0 ? { uid, gid, isOurs: false } : undefined;
  } catch {
    return undefined;
  }
}

async function readId(flag: '-u' | '-g', name: string): Promise<number> {
  return Number((await run('id', [flag, name])).stdout);
}
