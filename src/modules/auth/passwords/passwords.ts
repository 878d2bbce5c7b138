import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';

/**
 * Argon2id (RFC 9106), the library's default, with the OWASP minimum for one lane: 19 MiB, two passes. The hash is a PHC string, which
 * names its parameters.
 */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Stands where a password's hash would, for an account without a password: nothing verifies against it. */
export const no_password = '!';

/**
 * Hashing takes tens of milliseconds and 19 MiB in one of the process's four pool threads, where signatures are checked as well. At most
 * three at once leave a thread to everybody else, and a line of 100 waits some seconds at worst.
 */
const runWithLimit = createConcurrencyLimiter(Math.min(3, availableParallelism()), 100);

/** Hashes a password that meets the rule. @throws Refusal `overloaded`. */
export function hashPassword(password: string): Promise<string> {
  return runWithLimit(() => hash(toComparablePassword(password), parameters));
}

/**
 * Whether a password is the one of a hash. Without a hash, as for an address that nobody has or an account without a password, the same
 * work is done and the answer is no, so that the time tells nothing.
 *
 * @throws Refusal `overloaded`.
 */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  const stand_in = await computeDummyHash();
  const known = stored !== undefined && stored !== no_password;
  const matches = await runWithLimit(() => verify(known ? stored : stand_in, toComparablePassword(password)));
  return matches && known;
}

/** Whether a hash was made with other parameters than today's. */
export function isOutdatedHash(stored: string): boolean {
  const used = parseOptions(stored);
  return (
    !stored.startsWith('$argon2id$') ||
    used.memoryCost !== parameters.memoryCost ||
    used.timeCost !== parameters.timeCost ||
    used.parallelism !== parameters.parallelism
  );
}

/** One character typed on two keyboards can be two sequences of code points (NIST SP 800-63B section 5.1.1.2). */
function toComparablePassword(password: string): string {
  return password.normalize('NFKC');
}

let dummyHash: Promise<string> | undefined;

function computeDummyHash(): Promise<string> {
  dummyHash ??= hash(randomBytes(32).toString('base64'), parameters);
  return dummyHash;
}
