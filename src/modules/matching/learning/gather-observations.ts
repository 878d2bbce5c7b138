import { nil_uuid } from '#lib/nil-uuid.ts';
import { findCultureProfile } from '#modules/organisations/culture';
import { computeFeatures } from '#modules/matching/matches';
import type { Transaction } from '#platform/database/database.ts';
import type { TaskContext } from '#platform/queue/task.ts';
import { summariseResults } from './rules.ts';
import {
  findLoggedMatch,
  findPriorities,
  listAlternatives,
  listGivenRatings,
  listMemberTraits,
  listRecordedOutcomes,
  listUnobserved,
  runAsLearner,
  upsertObservation,
  type MatchPlace,
  type UnobservedMatch,
} from './store-observations.ts';

const page_matches = 50;
const alternatives_max = 7;

/** Turns every outcome and rating that is not yet in an observation into one. Members who are not matched now are left out. */
export async function gatherObservations({
  database,
  now,
  signal,
}: Pick<TaskContext, 'database' | 'now' | 'signal'>): Promise<void> {
  let after: MatchPlace = { job_id: nil_uuid, match_id: nil_uuid };
  for (;;) {
    signal.throwIfAborted();
    const page = await runAsLearner(database, async (tx) => {
      const unobserved = await listUnobserved(tx, after, page_matches);
      for (const match of unobserved) await observeMatch(tx, match, now());
      return unobserved;
    });
    if (page.length < page_matches) return;
    after = page.at(-1)!;
  }
}

/**
 * Stores what is known about a match, with a few others of its tier. All of a tier have one propensity, because their order is uniform; what was logged for the others
 * may be of another day, when the tier had another size.
 */
async function observeMatch(tx: Transaction, unobserved: UnobservedMatch, now: Date): Promise<void> {
  const match = await findLoggedMatch(tx, unobserved);
  const priorities = match && (await findPriorities(tx, match));
  if (!match || !priorities) return;
  const others = await listAlternatives(tx, match, alternatives_max);
  const profile = await findCultureProfile(tx, match.org_id);
  // What an organisation declares about itself is no observation of its culture.
  const culture = profile?.basis === 'measured' ? profile : undefined;
  const traits = await listMemberTraits(
    tx,
    [match, ...others].map(({ member_id }) => member_id),
  );
  const candidates = [match, ...others].flatMap((each) => {
    const member = traits.find(({ member_id }) => member_id === each.member_id);
    if (!member) return [];
    const features = computeFeatures(member, priorities, culture);
    return [{ member_id: member.member_id, features, propensity: match.propensity ?? 1 }];
  });
  const own = candidates.find(({ member_id }) => member_id === match.member_id);
  if (!own) return;
  const result = summariseResults(await listRecordedOutcomes(tx, match), await listGivenRatings(tx, match));
  await upsertObservation(tx, {
    ...unobserved,
    features: own.features,
    propensity: own.propensity,
    ...result,
    observed_at: now,
    candidates: candidates.filter((each) => each !== own),
  });
}
