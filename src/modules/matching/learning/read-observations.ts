import type { Platform } from '#platform/platform.ts';
import { checkGrants } from './check-grants.ts';
import { computeFadedWeight } from './rules.ts';
import {
  listMatchedMembers,
  listObservations,
  runAsLearner,
  type Observation,
} from './store-observations.ts';

/** How many of the latest outcomes are learned from. */
export const observations_max = 100_000;

/** The number of members that one statement looks up. */
const page_members = 10_000;

/**
 * Reads the latest observations, with the privileges of the learner. Members who are not matched any more, because they have withdrawn a consent or asked for deletion,
 * are left out, with their own outcomes and as others of a tier. Older observations count less.
 */
export async function readObservations({
  database,
  now,
}: Pick<Platform, 'database' | 'now'>): Promise<readonly Observation[]> {
  await checkGrants(database);
  const { observations, matched } = await runAsLearner(database, async (tx) => {
    const stored = await listObservations(tx, observations_max);
    const named = new Set(
      stored.flatMap(({ member_id, candidates }) => [
        member_id,
        ...(candidates ?? []).map((each) => each.member_id),
      ]),
    );
    const ids = [...named];
    const found = new Set<string>();
    for (let from = 0; from < ids.length; from += page_members)
      for (const id of await listMatchedMembers(tx, ids.slice(from, from + page_members))) found.add(id);
    return { observations: stored, matched: found };
  });
  const today = now();
  return observations
    .filter(({ member_id }) => matched.has(member_id))
    .map((each) => ({
      ...each,
      weight: computeFadedWeight(each.weight, each.observed_at, today),
      candidates: each.candidates?.filter(({ member_id }) => matched.has(member_id)) ?? null,
    }));
}
