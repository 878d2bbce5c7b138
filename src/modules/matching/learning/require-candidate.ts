import { Refusal } from '#lib/refusal.ts';
import { findLivePolicy, findPolicy, type StoredPolicy } from '#modules/matching/matches';
import { version_max, versionDigits } from './rules.ts';
import type { Reader } from '#platform/database/database.ts';

/**
 * Finds a version that may follow the one in use.
 *
 * @throws Refusal `policy_not_found`, or `policy_not_next` if it was not made from the one in use.
 */
export async function requireCandidate(
  db: Reader,
  version: string,
): Promise<{ readonly live: StoredPolicy; readonly candidate: StoredPolicy }> {
  const candidate = await findNamedPolicy(db, version);
  if (!candidate) throw new Refusal('policy_not_found');
  const live = await findLivePolicy(db);
  if (candidate.parent !== live.version) throw new Refusal('policy_not_next');
  return { live, candidate };
}

/** Finds the version that digits name; undefined if there is none. */
export async function findNamedPolicy(db: Reader, version: string): Promise<StoredPolicy | undefined> {
  const number = versionDigits.test(version) ? Number(version) : 0;
  return number > 0 && number <= version_max ? findPolicy(db, number) : undefined;
}
