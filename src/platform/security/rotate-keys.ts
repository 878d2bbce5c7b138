import type { Platform } from '#platform/platform.ts';
import { keyKinds } from './keys.ts';

/**
 * Retires all active signing keys and creates new ones. Running nodes follow within seconds. Credentials that the old keys signed stay
 * valid, access tokens do for the rest of their lifetime.
 *
 * @returns the ids of the new keys by purpose and algorithm.
 */
export async function rotateKeys({
  keys,
}: Pick<Platform, 'keys'>): Promise<Readonly<Record<string, string>>> {
  const rotated: Record<string, string> = {};
  for (const { purpose, algorithm } of keyKinds)
    rotated[`${purpose}_${algorithm.toLowerCase()}`] = (await keys.rotate(purpose, algorithm)).kid;
  return rotated;
}
