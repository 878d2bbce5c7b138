import type { TraitPriorities } from '#modules/traits';
import { fitOf, standardWeights } from './fit.ts';
import type { Population } from './population.ts';
import { matchOf, type JobMatch } from './shortlist.ts';
import { traitSlotCount } from './slots.ts';

/** One member's fit for one job with its labels, wherever it ranks; undefined where the population does not hold the member. */
export function measureMember(
  population: Population,
  member_id: string,
  priorities: TraitPriorities,
): JobMatch | undefined {
  const position = population.positions.get(member_id);
  if (position === undefined) return undefined;
  const { means, variances } = population;
  return matchOf(member_id, fitOf(standardWeights(priorities), means, variances, position * traitSlotCount));
}
