import type { Services } from '#platform/platform.ts';
import type { Allowance } from './store-guesses.ts';

/**
 * Builds an allowance for what a key names. The database has only a keyed hash of it.
 *
 * @param limit How many are allowed, and the length of the window in seconds.
 */
export function buildAllowance(
  { secrets }: Pick<Services, 'secrets'>,
  key: readonly string[],
  [guesses_max, window_seconds]: readonly [number, number],
): Allowance {
  return { key_hash: secrets.computeHmac('guess', JSON.stringify(key)), guesses_max, window_seconds };
}
