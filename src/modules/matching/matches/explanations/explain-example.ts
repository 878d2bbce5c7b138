import { measureMatch, computeFitWeights, openTerms, type MatchQuality } from '#modules/matching/engine';
import type { LatentVector, TraitNorms, TraitPriorities } from '#modules/measurement/traits';
import { explainMatch } from './explanation.ts';
import type { ExplainedMatch } from './explanation-words.ts';

/** A person who is compared with an example job. */
type ExamplePerson = LatentVector & { readonly member_id: string; readonly provisional: boolean };

/** The priorities of an example job: as the organisation set them, and as the policy in use multiplies them. */
type ExamplePriorities = { readonly job: TraitPriorities; readonly computed: TraitPriorities };

/** Compares a person with an example job of an organisation without a culture profile, and explains the match as those of members are explained. */
export function explainExample(
  person: ExamplePerson,
  priorities: ExamplePriorities,
  norms: TraitNorms,
): ExplainedMatch & { readonly match_quality: MatchQuality } {
  const weights = computeFitWeights(priorities.computed, norms);
  const measured = measureMatch(person, { weights, terms: openTerms });
  return {
    ...explainMatch({ ...person, values: null }, priorities, undefined),
    match_quality: measured.quality,
    confidence_level: measured.confidence_level,
    trait_priorities: priorities.job,
    values: null,
    culture: undefined,
  };
}
