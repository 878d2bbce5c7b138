import { buildFamilyPrior, buildPrior } from './outcome-priors.ts';
import type { LogisticFit, Prior } from '@tessera/psychometrics';
import { limitWeights, organisations_min, type Weighted } from './limit-weights.ts';
import { fitTrusted, joinByOrganisation, type Trust } from './fit-trusted.ts';

export type TrainingOutcome = Weighted & {
  readonly features: readonly number[];
  readonly value: number;
  readonly occupation_group: string | null;
};

/** The outcome models of all jobs, and of each job family that has enough outcomes. */
export type OutcomeModels = {
  readonly all: LogisticFit;
  readonly families: ReadonlyMap<string, LogisticFit>;
  /** How much the outcomes of each organisation are trusted; those of others are trusted in full. */
  readonly trust: Trust;
};

/** The fewest outcomes of a job family that has a model of its own. */
export const family_outcomes_min = 100;

/** Fits the models: first that of all jobs, which the families then start from. Undefined if there are too few organisations. */
export function buildModels(outcomes: readonly TrainingOutcome[]): OutcomeModels | undefined {
  if (countOrganisations(outcomes) < organisations_min) return undefined;
  const { fit: all, trust } = fitCapped(buildPrior(), outcomes);
  const families = new Map<string, LogisticFit>();
  for (const [group, ofGroup] of groupOutcomes(outcomes)) {
    if (ofGroup.length < family_outcomes_min || countOrganisations(ofGroup) < organisations_min) continue;
    families.set(group, fitCapped(buildFamilyPrior(all), ofGroup).fit);
  }
  return { all, families, trust };
}

/** Selects the model for jobs of an occupation group. */
export function selectModel({ all, families }: OutcomeModels, group: string | null): Float64Array {
  return ((group === null ? undefined : families.get(group)) ?? all).mean;
}

function countOrganisations(outcomes: readonly TrainingOutcome[]): number {
  return new Set(outcomes.filter(({ weight }) => weight > 0).map(({ org_id }) => org_id)).size;
}

function fitCapped(prior: Prior, outcomes: readonly TrainingOutcome[]) {
  const weights = limitWeights(outcomes);
  const capped = outcomes.map((outcome, index) => ({ ...outcome, weight: weights[index]! }));
  return fitTrusted(prior, joinByOrganisation(capped));
}

function groupOutcomes(
  outcomes: readonly TrainingOutcome[],
): ReadonlyMap<string, readonly TrainingOutcome[]> {
  const groups = new Map<string, TrainingOutcome[]>();
  for (const outcome of outcomes) {
    if (outcome.occupation_group === null) continue;
    const group = groups.get(outcome.occupation_group);
    if (group) group.push(outcome);
    else groups.set(outcome.occupation_group, [outcome]);
  }
  return groups;
}
