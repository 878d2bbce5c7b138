import { createHash } from 'node:crypto';
import { readParentId } from '#lib/child-id.ts';
import { detailedVersions } from '#modules/people/consent';
import { findCultureProfile } from '#modules/organisations/culture';
import type { TraitPriorities } from '#modules/measurement/traits';
import type { Reader } from '#platform/database/database.ts';
import { sharingStatuses } from '../contact/rules.ts';
import { isOpen } from '../rules.ts';
import { applyPolicy, type FitPolicy } from '../policies/rules.ts';
import { findLivePolicy, findPolicy } from '../policies/store.ts';
import type { BasedCulture } from '../belonging.ts';
import { listSources, type ExplanationSources } from './store.ts';

/** Everything that an explanation is computed from, and a digest of it. A stored explanation is valid while the digest stays the same. */
export type Sources = ExplanationSources & {
  readonly culture: BasedCulture | undefined;
  /** The priorities that the fit was computed from: multiplied by the policy. */
  readonly computed_priorities: TraitPriorities;
  readonly basis: string;
};

/** The version of the formulas; a change of it makes stored explanations outdated. The sentences are not stored, so they may change freely. */
const formulas = 'explanation-7';

/** Reads the sources of an explanation; undefined if the match does not exist. */
export async function collectSources(db: Reader, match_id: string): Promise<Sources | undefined> {
  const [sources] = await listAllSources(db, readParentId(match_id), [match_id]);
  return sources;
}

/** Reads the sources of the explanations of some matches of a job, in any order. Those that do not exist are left out. */
export async function listAllSources(
  db: Reader,
  job_id: string,
  match_ids: readonly string[],
): Promise<readonly Sources[]> {
  const listed = await listSources(db, { job_id, match_ids }, detailedVersions);
  const [first] = listed;
  if (!first) return [];
  const culture = await findCultureProfile(db, first.org_id);
  const policies = new Map<number | 'live', Promise<FitPolicy | undefined>>();
  return Promise.all(
    listed.map(async (sources) => {
      const computed_priorities = applyPolicyOfTime(sources, await findPolicyOnce(db, sources, policies));
      return {
        ...sources,
        culture,
        computed_priorities,
        basis: computeBasis(sources, culture, computed_priorities),
      };
    }),
  );
}

function computeBasis(
  { trait_priorities, vector_version, values }: ExplanationSources,
  culture: BasedCulture | undefined,
  computed_priorities: TraitPriorities,
): string {
  // Only whether there is a culture and whether it is measured, not which one: new profiles one after the other would measure the same person against each of
  // them. A measured profile is never replaced by a declared one, so a person is explained at most once by each kind.
  const known = culture?.basis === 'declared' ? culture.basis : culture !== undefined;
  const inputs = [formulas, trait_priorities, vector_version, known, values];
  if (computed_priorities !== trait_priorities) inputs.push(computed_priorities);
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex');
}

/** Finds the policy by which the labels of a match were computed: the one in use, or for matches that are not computed any more, the one of the time. */
function findPolicyOnce(
  db: Reader,
  sources: ExplanationSources,
  known: Map<number | 'live', Promise<FitPolicy | undefined>>,
): Promise<FitPolicy | undefined> {
  const version = isSettled(sources) ? (sources.policy_version ?? first_version) : 'live';
  const found = known.get(version) ?? (version === 'live' ? findLivePolicy(db) : findPolicy(db, version));
  known.set(version, found);
  return found;
}

function applyPolicyOfTime(
  { trait_priorities, occupation_group }: ExplanationSources,
  policy: FitPolicy | undefined,
): TraitPriorities {
  return policy
    ? applyPolicy(policy, { trait_priorities, occupation_code: occupation_group })
    : trait_priorities;
}

/** The version of matches from before policies. It leaves all priorities as they are. */
const first_version = 1;

/** The explanation of a match does not change any more after the match has ended, or after the requirements of its job have changed. */
export function isSettled({ match_status, version, job_version }: ExplanationSources): boolean {
  return !isOpen(match_status) || version !== job_version;
}

/**
 * Says whether the organisation reads about the member in detail: because it does so in this version of the job, or the member has accepted its
 * interest, and only while the member allows it.
 */
export function isDetailed({ allows_detail, is_disclosed, match_status }: ExplanationSources): boolean {
  return allows_detail && (is_disclosed || sharingStatuses.has(match_status));
}
