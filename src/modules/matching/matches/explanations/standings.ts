import {
  claimPosition,
  computePosition,
  toTraitSlot,
  type Certainty,
  type LatentVector,
  type TraitCode,
  type TraitPriorities,
} from '#modules/measurement/traits';
import { listDescribedTraits } from './described-traits.ts';

/** Where the answers place a person: above the average, below it, or between the lowest and the highest fifth. */
export type Side = 'above' | 'middle' | 'below';

/** How far the answers say where a person is in a trait that a job asks for. An open standing has no side. */
export type Standing = {
  readonly code: TraitCode;
  readonly standing: Certainty;
  readonly side: Side | null;
};

/**
 * Describes a person in the three to five things that a job asks most, the most important first. A clear side is one that the 95 % bounds support, a
 * likely one has a probability of at least 0.9, and everything else is open. How far a person is from the average is left out, so that each trait says
 * one of six things. `job` are the priorities as the organisation set them: with those of a policy, each new version of it would describe other traits.
 */
export function describeStandings(
  job: TraitPriorities,
  { mean, variance }: LatentVector,
): readonly Standing[] {
  return listDescribedTraits(job).map((code) => {
    const slot = toTraitSlot(code);
    return { code, ...findStanding(mean[slot]!, variance[slot]!) };
  });
}

function findStanding(mean: number, variance: number): Omit<Standing, 'code'> {
  const { word, certainty } = claimPosition(computePosition({ mean, variance }));
  if (word === null || certainty === 'open') return { standing: 'open', side: null };
  if (word === 'average') return { standing: 'clear', side: 'middle' };
  return { standing: certainty, side: word === 'more' || word === 'much_more' ? 'above' : 'below' };
}
