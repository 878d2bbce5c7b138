import { continuousTraits, type ContinuousTrait, type TraitPriorities } from '#modules/measurement/traits';
import type { FoundOccupation } from './find-occupation.ts';
import type { NamedTrait } from './find-trait-words.ts';

/** How many priorities are proposed at most, and how many an occupation fills up. A job that asks for everything distinguishes nobody. */
const proposed_max = 5;
const filled_max = 3;

/** The priority of a trait that a text names by one, two, or more different expressions. */
const priorities = [0.5, 0.65, 0.8] as const;

/** What an occupation adds to the priority of a trait that the text names. */
const confirmation = 0.15;

/** Why a trait is proposed: the words of the text, and whether the ratings of the occupation speak for it. */
export type ProposalReason = {
  readonly trait_name: ContinuousTrait;
  readonly words: readonly string[];
  readonly by_occupation: boolean;
};

export type Proposal = {
  readonly trait_priorities: TraitPriorities;
  readonly reasons: readonly ProposalReason[];
};

const words_max = 5;

/** Proposes the traits that a text names most, with what the occupation says about them. Where the text names fewer than three, the occupation's strongest are added. */
export function proposeFromText(
  named: readonly NamedTrait[],
  occupation: FoundOccupation | undefined,
): Proposal {
  const rated = listStrongest(occupation?.template.trait_priorities ?? {});
  const fromText = named.slice(0, proposed_max).map(({ trait, entries, words }) => {
    const by_occupation = rated.some(([code]) => code === trait);
    const priority = priorities[Math.min(entries, priorities.length) - 1]!;
    return {
      priority: by_occupation ? priority + confirmation : priority,
      reason: { trait_name: trait, words: words.slice(0, words_max), by_occupation },
    };
  });
  const missing = rated.filter(([code]) => fromText.every(({ reason }) => reason.trait_name !== code));
  const filled = missing.slice(0, Math.max(0, filled_max - fromText.length)).map(([code, rating]) => ({
    priority: rating,
    reason: { trait_name: code, words: [], by_occupation: true },
  }));
  const all = [...fromText, ...filled];
  return {
    trait_priorities: Object.fromEntries(
      all.map(({ priority, reason }) => [reason.trait_name, round(priority)]),
    ),
    reasons: all.map(({ reason }) => reason),
  };
}

/** Lists the strongest ratings of an occupation. Of equal ones, the first in the order of traits. */
function listStrongest(ratings: TraitPriorities): readonly (readonly [ContinuousTrait, number])[] {
  return continuousTraits
    .map((code) => [code, ratings[code] ?? 0] as const)
    .filter(([, rating]) => rating > 0)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, proposed_max);
}

const round = (priority: number) => Math.round(priority * 20) / 20;
