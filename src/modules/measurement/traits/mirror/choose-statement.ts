import { cacheByObject } from '#lib/cache-results.ts';
import type { ItemBank } from '../items/bank.ts';
import type { Answer, Item } from '../items/item.ts';
import { measureAnswers } from '../measurement/measure-answers.ts';
import { chooseNextItem, type TraitStakes } from '../measurement/next-item.ts';
import { computeMarginals } from '../measurement/posterior.ts';
import { claimPosition } from '../measurement/trait-words.ts';

/** A mirror ends after the first number of statements if something is clear, and after the second in any case. */
export const mirror_statements = { fewest: 12, most: 15 } as const;

/**
 * Chooses the statement that follows these answers; undefined at the end of the mirror. An assessment spreads its statements over all traits. A
 * mirror wants one of them to become clear, so most is at stake for those that are already furthest from the middle, in standard errors.
 */
export function chooseMirrorStatement(
  answers: readonly Answer[],
  seed: string,
  bank: ItemBank,
): Item | undefined {
  if (answers.length >= mirror_statements.most) return undefined;
  if (answers.length >= mirror_statements.fewest && isAnyClear(answers, bank)) return undefined;
  return chooseNextItem(answers, seed, leaveOutSituations(bank), { stakes: computeStakes(answers, bank) });
}

function isAnyClear(answers: readonly Answer[], bank: ItemBank): boolean {
  return measureAnswers(answers, bank).vector.traits.some(
    (each) => claimPosition(each).certainty === 'clear',
  );
}

/** What is at stake for a trait of which nothing is known. */
const unknown_stake = 0.25;

function computeStakes(answers: readonly Answer[], bank: ItemBank): TraitStakes {
  const posterior = computeMarginals(answers, bank);
  return new Map(
    bank.traits.map((trait, slot) => {
      const { mean, variance } = posterior[slot]!;
      return [trait, unknown_stake + mean ** 2 / variance];
    }),
  );
}

/** Situations are three times as long as statements, and no single one makes anything clear. */
const leaveOutSituations = cacheByObject((bank: ItemBank): ItemBank => ({ ...bank, scenarios: [] }));
