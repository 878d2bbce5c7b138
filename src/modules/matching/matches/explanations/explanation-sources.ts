import { createHash } from 'node:crypto';
import { findCultureProfile } from '#modules/organisations/culture';
import type { TraitPriorities } from '#modules/measurement/traits';
import type { Reader } from '#platform/database/database.ts';
import { isOpen } from '../rules.ts';
import { applyPolicy } from '../policies/rules.ts';
import { findLivePolicy, findPolicy } from '../policies/store.ts';
import type { Culture } from '../belonging.ts';
import { findSources, type ExplanationSources } from './store.ts';

/** Everything that an explanation is computed from, and a digest of it. A stored explanation is valid while the digest stays the same. */
export type Sources = ExplanationSources & {
  readonly culture: Culture | undefined;
  /** The priorities that the fit was computed from: multiplied by the policy. */
  readonly computed_priorities: TraitPriorities;
  readonly basis: string;
};

/** The version of the formulas; a change of it makes stored explanations outdated. The sentences are not stored, so they may change freely. */
const formulas = 'explanation-5';

/** Reads the sources of an explanation; undefined if the match does not exist. */
export async function collectSources(db: Reader, match_id: string): Promise<Sources | undefined> {
  const sources = await findSources(db, match_id);
  if (!sources) return undefined;
  const culture = await findCultureProfile(db, sources.org_id);
  const { trait_priorities, vector_version, values } = sources;
  const computed_priorities = await applyCurrentPolicy(db, sources);
  // Only whether there is a culture, not which one: new profiles one after the other would measure the same person against each of them.
  const inputs = [formulas, trait_priorities, vector_version, culture !== undefined, values];
  if (computed_priorities !== trait_priorities) inputs.push(computed_priorities);
  const basis = createHash('sha256').update(JSON.stringify(inputs)).digest('hex');
  return { ...sources, culture, computed_priorities, basis };
}

/** Applies the policy by which the labels of a match were computed: the one in use, or for matches that are not computed any more, the one of the time. */
async function applyCurrentPolicy(db: Reader, sources: ExplanationSources): Promise<TraitPriorities> {
  const { trait_priorities, occupation_group, policy_version } = sources;
  const policy = isSettled(sources)
    ? await findPolicy(db, policy_version ?? first_version)
    : await findLivePolicy(db);
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
