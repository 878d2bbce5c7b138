import { Refusal } from '#lib/refusal.ts';
import { sql, type Transaction } from '#platform/database/database.ts';
import { isReply, reply, type Cookie, type Receipt } from '#platform/operation.ts';
import type { Platform } from '#platform/platform.ts';

/** Identifies a request and its key by hashes, because the request may contain a password. */
export type IdempotentRequest = { readonly key_hash: Buffer; readonly request_hash: Buffer };

type StoredReply = { readonly request_hash: Buffer; readonly answer_sealed: Buffer | null };
type RunTransaction = Platform['database']['transaction'];

/** Another request with the same key committed first, so its reply is used. */
class KeyTakenError extends Error {}

const lockNotAvailable = '55P03';

/**
 * Hashes a request by its key, whose key it is, and its content.
 *
 * @throws Refusal `idempotency_key_malformed`.
 */
export function hashIdempotentRequest(
  platform: Platform,
  key: string,
  holder: readonly string[],
  content: unknown,
): IdempotentRequest {
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw new Refusal('idempotency_key_malformed');
  return {
    key_hash: platform.secrets.computeHmac('idempotency-key', JSON.stringify([...holder, key])),
    request_hash: platform.secrets.computeHmac('idempotency-request', JSON.stringify(content)),
  };
}

/**
 * Runs a request at most once (draft-ietf-httpapi-idempotency-key-header-07). The key is claimed and the reply stored in the operation's
 * own transaction, so that neither a crash nor a race can make one key take effect twice: a second request waits for the first to
 * commit, and then gets the same reply. Refusals are not stored, because they change nothing and may be tried again.
 */
export async function runIdempotentRequest(
  platform: Platform,
  request: IdempotentRequest,
  run: (transaction: RunTransaction) => Promise<unknown>,
): Promise<{ readonly result: unknown; readonly replayed: boolean }> {
  const stored = await findStoredReply(platform, request);
  if (stored) return { result: stored, replayed: true };
  try {
    return { result: await runAndStore(platform, request, run), replayed: false };
  } catch (error) {
    if (!(error instanceof KeyTakenError)) throw error;
    return { result: await findStoredReply(platform, request), replayed: true };
  }
}

function runAndStore(
  platform: Platform,
  request: IdempotentRequest,
  run: (transaction: RunTransaction) => Promise<unknown>,
) {
  return runInOneTransaction(run, (work, options) =>
    platform.database.transaction(async (tx) => {
      await claimKey(tx, request, platform.now());
      const result = await work(tx);
      await storeReply(platform, tx, request, result);
      return result;
    }, options),
  );
}

/**
 * Runs an idempotent operation, which must return what its transaction returned, because nothing else can be stored with a key. It is
 * checked without a key too, so that every test of an operation finds the fault.
 */
export async function runInOneTransaction(
  run: (transaction: RunTransaction) => Promise<unknown>,
  transaction: RunTransaction,
): Promise<unknown> {
  let committed: unknown;
  const result = await run(async (work, options) => {
    const returned = await transaction(work, options);
    committed = returned;
    return returned;
  });
  if (result !== committed)
    throw new Error('an idempotent operation must return the result of its transaction');
  return result;
}

async function findStoredReply(
  platform: Platform,
  { key_hash, request_hash }: IdempotentRequest,
): Promise<unknown> {
  const stored = await platform.database.find(
    sql<StoredReply>`select request_hash, answer_sealed from idempotency_keys where key_hash = ${key_hash}`,
  );
  if (!stored?.answer_sealed) return undefined;
  if (!stored.request_hash.equals(request_hash)) throw new Refusal('idempotency_key_reused');
  // Written by `storeReply`, and protected against changes by the encryption.
  const { status, body, cookies, receipt } = JSON.parse(
    platform.secrets.decrypt('idempotent-answer', stored.answer_sealed),
  ) as {
    status: number | null;
    body: unknown;
    cookies: Cookie[];
    receipt?: Receipt;
  };
  return status === null ? body : reply(status, body, cookies, receipt);
}

async function claimKey(
  tx: Transaction,
  { key_hash, request_hash }: IdempotentRequest,
  now: Date,
): Promise<void> {
  const claiming = tx.run(sql`
    insert into idempotency_keys (key_hash, request_hash, created_at) values (${key_hash}, ${request_hash}, ${now})
    on conflict do nothing`);
  const claimed = await claiming.catch((error: unknown) => {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    throw code === lockNotAvailable
      ? new Refusal('idempotency_in_progress', { headers: { 'retry-after': '2' } })
      : error;
  });
  if (claimed === 0) throw new KeyTakenError();
}

async function storeReply(
  platform: Platform,
  tx: Transaction,
  { key_hash }: IdempotentRequest,
  result: unknown,
): Promise<void> {
  const parts = isReply(result) ? result : { status: null, body: result, cookies: [] };
  const sealed = platform.secrets.encrypt('idempotent-answer', JSON.stringify(parts));
  await tx.run(sql`update idempotency_keys set answer_sealed = ${sealed} where key_hash = ${key_hash}`);
}

/**
 * Deletes at most `limit` replies that are older than a day, because retries usually follow within minutes. Runs hourly. @returns how many
 * were deleted.
 */
export function deleteOldReplies(platform: Platform, limit: number): Promise<number> {
  const horizon = new Date(platform.now().getTime() - 24 * 3_600_000);
  return platform.database.run(sql`
    delete from idempotency_keys where key_hash in (
      select key_hash from idempotency_keys where created_at < ${horizon} limit ${limit})`);
}
