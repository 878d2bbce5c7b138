import { hashToken } from '#platform/security/hash-token.ts';
import type { LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { findCallerRefusal } from '#modules/access/accounts';
import { isUseStored } from '#modules/access/agents';
import type { Platform, Services } from '#platform/platform.ts';
import { getKeyMemory, type KnownKey } from './key-memory.ts';
import { isKey, isToken, readKey } from './key-text.ts';
import { findKeyByToken } from './store-tokens.ts';
import { findOpenKey, updateLastUses, type OpenKey } from './store.ts';
import { toCaller } from './to-caller.ts';

/** Makes this process look all keys up again. Call this with `tx.afterCommit` when one has changed. */
export function forgetKeys(services: Pick<Services, 'memory'>): void {
  getKeyMemory(services).forget();
}

/** Whether an Authorization header has a service key, or claims to have one. */
export function hasServiceKey(authorization: string): boolean {
  return readKey(authorization) !== undefined;
}

/**
 * Authenticates a program by the service key of an Authorization header. For a key in use this is synchronous: which keys changed is read
 * beside the requests.
 *
 * @throws Refusal `token_invalid`, `token_expired`, `account_suspended`, `organisation_suspended`.
 */
export function authenticateServiceKey(
  platform: Platform,
  authorization: string,
): LoggedInCaller | Promise<LoggedInCaller> {
  const known = getKeyMemory(platform).find(authorization);
  return known ? admit(platform, known, 'hit') : findUnknownKey(platform, authorization);
}

async function findUnknownKey(platform: Platform, authorization: string): Promise<LoggedInCaller> {
  const memory = getKeyMemory(platform);
  await memory.refresh();
  const known = memory.find(authorization);
  if (known) return admit(platform, known, 'hit');
  const forgotten = memory.countForgotten();
  const now = platform.now();
  const found = await findKey(platform, readKey(authorization), now);
  if (!found)
    return refuse(platform, new Refusal('token_invalid', { detail: 'This service key is unknown.' }));
  const { expires_at, replaced_at, last_used_at } = found;
  const isUseDue = isUseStored(last_used_at, now);
  const key = { caller: toCaller(platform, found), expires_at, replaced_at };
  memory.remember(authorization, key, isUseDue ? now : (last_used_at ?? now), forgotten);
  const caller = admit(platform, key, 'miss');
  if (isUseDue) await updateLastUses(platform.database, [found.id], now);
  return caller;
}

async function findKey(
  { database }: Platform,
  key: string | undefined,
  now: Date,
): Promise<OpenKey | undefined> {
  if (key === undefined) return undefined;
  if (isToken(key)) return await findKeyByToken(database, hashToken(key), now);
  return isKey(key) ? await findOpenKey(database, { key_hash: hashToken(key), now }) : undefined;
}

function admit(
  platform: Platform,
  { caller, expires_at }: KnownKey,
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
