import { Refusal } from '#lib/refusal.ts';
import { isSilence } from '#platform/database/connections.ts';

/**
 * Returns the constraint that a write violated, for stores that convert it to a refusal, or undefined for any other error. On a distributed
 * table the constraint of a shard has the name of the constraint and the number of the shard, which is left out.
 */
export function findBrokenConstraint(error: unknown): string | undefined {
  const { code, constraint, message } = error as { code?: unknown; constraint?: string; message?: string };
  if (typeof code !== 'string' || !code.startsWith('23')) return undefined;
  // A node's error arrives with its message alone.
  const name = constraint ?? /constraint "([^"]+)"/.exec(message ?? '')?.[1];
  return name?.replace(/_\d{6,}$/, '');
}

/** 26000 and 42P05: a prepared statement is gone, or there is another one of its name, because the session belongs to another client. */
const unavailableCodes =
  /^(08...|25006|25P0[34]|26000|42P05|57P0[1235]|53300|ECONN.*|EHOST.*|ENET.*|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;

/**
 * What arrives without a code that says so: from `pg`, and from the coordinator of a distributed database whose nodes, or which itself, has just gone
 * away before the commit.
 */
const unavailableMessage =
  /connection terminated|timeout expired|not queryable|postmaster was shut down|failure on connection marked as essential/i;

/** A statement that ran, or waited for a lock, for too long. */
const timeoutCodes: ReadonlySet<unknown> = new Set(['57014', '55P03']);

/** What `pg` says when a pool has no connection to give within its time limit. */
const occupied = 'timeout exceeded when trying to connect';

const storage_full_retry_seconds = '30';

/** Checks whether the disk of the server is full (SQLSTATE 53100), even from the refusal that reports it. */
export function isStorageFull(error: unknown): boolean {
  return readErrorCode(error) === '53100';
}

/** Checks whether an error means that the server is unavailable, restarting or out of connections. */
export function isUnavailable(error: unknown): boolean {
  const { code, message, syscall } = (error ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof code === 'string' && unavailableCodes.test(code)) return true;
  // The socket of the embedded server. Any other file that is missing says nothing about the database.
  if (code === 'ENOENT') return syscall === 'connect';
  return (
    isSilence(error) ||
    (typeof message === 'string' && (message === occupied || unavailableMessage.test(message)))
  );
}

/** Checks whether a statement was not sent, because all connections of the pool were in use for too long. */
export function isOccupied(error: unknown): boolean {
  const original = error instanceof Refusal ? error.cause : error;
  return original instanceof Error && original.message === occupied;
}

/** Throws a refusal for an unavailable server, a full disk or a timeout, and any other error as it is. */
export function throwTranslated(error: unknown): never {
  const isFull = isStorageFull(error);
  const code =
    isFull || isUnavailable(error)
      ? 'database_unavailable'
      : timeoutCodes.has(readErrorCode(error))
        ? 'overloaded'
        : undefined;
  if (code === undefined || error instanceof Refusal) throw error;
  throw Object.assign(
    new Refusal(code, { headers: { 'retry-after': isFull ? storage_full_retry_seconds : '2' } }),
    { cause: error },
  );
}

/** Reads the code of PostgreSQL or of the network, also from the refusal that was made of it. */
export function readErrorCode(error: unknown): unknown {
  const original = error instanceof Refusal ? error.cause : error;
  return (original as { code?: unknown } | null | undefined)?.code;
}
