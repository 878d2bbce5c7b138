import {
  traitCodes,
  type LatentVector,
  type TraitCode,
  type TraitPriorities,
} from '#modules/measurement/traits';
import { integrityTraits } from '../../src/modules/matching/matches/explanations/explanation-words.ts';
import {
  claimPosition,
  computePosition,
} from '../../src/modules/measurement/traits/measurement/trait-words.ts';

type Certainty = ReturnType<typeof claimPosition>['certainty'];

/** Where the answers place a person: above the average, below it, or between the lowest and the highest fifth. */
export type Side = 'above' | 'middle' | 'below';

/** What an organisation may read about a person in a trait that its job asks for. An open standing has no side. */
export type Standing = {
  readonly trait: TraitCode;
  readonly standing: Certainty;
  readonly side: Side | null;
  /** Why, in a sentence without digits. It follows from the standing and the side alone. */
  readonly reason: string;
};

const [traits_min, traits_max] = [3, 5] as const;

/** The lowest priority of a fourth or fifth trait, as a share of the highest that is described. */
const lowestShare = 0.5;

/**
 * Describes a person in the three to five things that a job asks most, the most important first. A clear side is one that the 95 %
 * bounds support, a likely one has a probability of at least 0.9, and everything else is open. How far a person is from the average is
 * left out, so that each trait tells an organisation one of six words.
 *
 * The job alone decides which traits are described, and `job` are the priorities as the organisation set them: with those of a policy, each new
 * version of it would describe others. Integrity is left out whatever the person's is. A job that asks for fewer traits has fewer standings.
 */
export function describeStandings(
  job: TraitPriorities,
  { mean, variance }: LatentVector,
): readonly Standing[] {
  return listDescribedTraits(job).map((trait) => {
    const slot = traitCodes.indexOf(trait);
    return { trait, ...describeTrait(mean[slot]!, variance[slot]!) };
  });
}

/** Lists the traits that an organisation reads about, the most important first. Equal priorities keep the order of the taxonomy. */
export function listDescribedTraits(job: TraitPriorities): readonly TraitCode[] {
  const askFor = (code: TraitCode) => job[code] ?? 0;
  const sorted = traitCodes
    .filter((code) => askFor(code) > 0 && !integrityTraits.has(code))
    .toSorted((one, other) => askFor(other) - askFor(one));
  const lowest = lowestShare * Math.max(0, ...sorted.map(askFor));
  return sorted.filter((code, place) => place < traits_min || (place < traits_max && askFor(code) >= lowest));
}

function describeTrait(mean: number, variance: number): Omit<Standing, 'trait'> {
  const { word, certainty } = claimPosition(computePosition({ mean, variance }));
  if (word === null || certainty === 'open') return { standing: 'open', side: null, reason: openReason };
  if (word === 'average') return { standing: 'clear', side: 'middle', reason: middleReason };
  const side = word === 'more' || word === 'much_more' ? 'above' : 'below';
  return { standing: certainty, side, reason: sideReasons[certainty][side] };
}

const sideReasons = {
  clear: {
    above: 'The answers of this person place it clearly above average.',
    below: 'The answers of this person place it clearly below average.',
  },
  likely: {
    above: 'The answers of this person point above average; the other side is still possible.',
    below: 'The answers of this person point below average; the other side is still possible.',
  },
} as const;

const middleReason = 'The answers of this person place it clearly in the broad middle of people.';
const openReason = 'The answers of this person leave open on which side of the average it is.';
