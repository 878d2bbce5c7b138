import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import type { Role } from '#lib/caller.ts';
import { computeOnce } from '#lib/cache-results.ts';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';

/**
 * Argon2id (RFC 9106), the default of the library, with the OWASP minimum for one lane: 19 MiB, two passes. The hash is a PHC string, which
 * contains its parameters.
 */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Stored instead of a password hash for an account without a password. No password matches it. */
export const no_password = '!';

/**
 * Whether an account belongs to single sign-on of an organisation, which alone decides who may log in to it. A member without a password
 * logs in with a passkey.
 */
export function isSsoAccount({
  password_hash,
  role,
}: {
  readonly password_hash: string;
  readonly role: Role;
}): boolean {
  return password_hash === no_password && role !== 'member';
}

/**
 * Hashing takes tens of milliseconds and 19 MiB in one of the four pool threads of the process, which also verify signatures. A limit of
 * three leaves one thread free, and a queue of 100 waits a few seconds at most.
 */
const runWithLimit = createConcurrencyLimiter(Math.min(3, availableParallelism()), 100);

/** Hashes a password that meets the rule. @throws Refusal `overloaded`. */
export function hashPassword(password: string): Promise<string> {
  return runWithLimit(() => hash(toComparablePassword(password), parameters));
}

/**
 * Whether a password matches a hash. Without a hash, for an unknown address or an account without a password, the same work is done and the
 * result is false, so that the time does not reveal whether an account exists.
 *
 * @throws Refusal `overloaded`.
 */
export async function verifyPassword(stored_hash: string | undefined, password: string): Promise<boolean> {
  const dummy_hash = await computeDummyHash();
  const known = stored_hash !== undefined && stored_hash !== no_password;
  const matches = await runWithLimit(() =>
    verify(known ? stored_hash : dummy_hash, toComparablePassword(password)),
  );
  return matches && known;
}

/** Whether a hash was computed with other parameters than the current ones. */
export function isOutdatedHash(stored_hash: string): boolean {
  const options = parseOptions(stored_hash);
  return (
    !stored_hash.startsWith('$argon2id$') ||
    options.memoryCost !== parameters.memoryCost ||
    options.timeCost !== parameters.timeCost ||
    options.parallelism !== parameters.parallelism
  );
}

/** Normalises a password, because keyboards produce different code points for the same character (NIST SP 800-63B section 5.1.1.2). */
function toComparablePassword(password: string): string {
  return password.normalize('NFKC');
}

const computeDummyHash = computeOnce(() => hash(randomBytes(32).toString('base64'), parameters));
