import { LRUCache } from 'lru-cache';
import { isOrgRole, type LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { findCallerRefusal } from '#modules/access/accounts';
import { isUseStored } from '#modules/access/agents';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Platform, Services } from '#platform/platform.ts';
import { hashKey, isKey, readKey } from './key-text.ts';
import { listPermissibleRows } from './rules.ts';
import { findOpenKey, updateLastUse, type OpenKey } from './store.ts';

const remembered_max = 10_000;
/** What is changed on another process counts here after this time. */
const remembered_ms = 1_000;

type RememberedKey = {
  readonly caller: LoggedInCaller;
  readonly expires_at: Date;
  readonly found_ms: number;
};

/** Keys that were looked up within the last second, by Authorization header. */
const rememberedKeys = instanceMemory(() => new LRUCache<string, RememberedKey>({ max: remembered_max }));

/** The rows that a key may be permitted, which do not change while the process runs. */
const permissibleRows = instanceMemory(({ rows }): ReadonlySet<string> => new Set(listPermissibleRows(rows)));

/** Makes this process look all keys up again. Call this with `tx.afterCommit` when one has changed. */
export function forgetKeys(services: Pick<Services, 'memory'>): void {
  rememberedKeys(services).clear();
}

/** Whether an Authorization header has a service key, or claims to have one. */
export function hasServiceKey(authorization: string): boolean {
  return readKey(authorization) !== undefined;
}

/**
 * Authenticates a program by the service key of an Authorization header. The key is looked up once a second; between, this is synchronous.
 *
 * @throws Refusal `token_invalid`, `token_expired`, `account_suspended`, `organisation_suspended`.
 */
export function authenticateServiceKey(
  platform: Platform,
  authorization: string,
): LoggedInCaller | Promise<LoggedInCaller> {
  const now = platform.now();
  const known = rememberedKeys(platform).get(authorization);
  if (known && Math.abs(now.getTime() - known.found_ms) < remembered_ms) return admit(platform, known, 'hit');
  return findUnknownKey(platform, authorization);
}

async function findUnknownKey(platform: Platform, authorization: string): Promise<LoggedInCaller> {
  const now = platform.now();
  const key = readKey(authorization);
  const found =
    key !== undefined && isKey(key)
      ? await findOpenKey(platform.database, { key_hash: hashKey(key), now })
      : undefined;
  if (!found)
    return refuse(platform, new Refusal('token_invalid', { detail: 'This service key is unknown.' }));
  const remembered = {
    caller: toCaller(platform, found),
    expires_at: found.expires_at,
    found_ms: now.getTime(),
  };
  rememberedKeys(platform).set(authorization, remembered);
  const caller = admit(platform, remembered, 'miss');
  if (isUseStored(found.last_used_at, now)) await updateLastUse(platform.database, found.id, now);
  return caller;
}

function admit(
  platform: Platform,
  { caller, expires_at }: RememberedKey,
  outcome: 'hit' | 'miss',
): LoggedInCaller {
  if (platform.now() >= expires_at) return refuse(platform, new Refusal('token_expired'));
  const refusal = findCallerRefusal(platform, caller);
  if (refusal) return refuse(platform, refusal);
  platform.metrics.countToken(outcome);
  return caller;
}

function refuse({ metrics }: Platform, refusal: Refusal): never {
  metrics.countToken('refused');
  throw refusal;
}

function toCaller(
  services: Pick<Services, 'memory'>,
  { id, user_id, org_id, role, permissions, networks }: OpenKey,
): LoggedInCaller {
  // The database joins a user of the organisation, who has one of its roles.
  if (!isOrgRole(role)) throw new Refusal('token_invalid');
  // A key may be older than a rule about what only a person may do.
  const rows = new Set(permissions.filter((each) => permissibleRows(services).has(each)));
  return {
    role,
    org_id,
    user_id,
    session_id: id,
    // Nobody has proved who they are, so nothing is open to the key that requires that.
    authenticated_at: new Date(0),
    service_key: { service_key_id: id, rows, networks },
  };
}
