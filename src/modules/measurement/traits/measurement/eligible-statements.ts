import { computeNormalAverage, getItemCurves } from '@tessera/psychometrics';
import { cacheByObject } from '#lib/cache-results.ts';
import type { ItemBank } from '../items/bank.ts';

/**
 * Says whether a member can get a statement of a trait. The seed draws a share of the statements, by systematic sampling from the best
 * to the worst for the whole population (Madow 1949, Ann Math Stat 20): one random start, then equal steps. So each statement is drawn
 * with exactly this probability, which limits how often it is asked without any count of what was asked; and no member gets only bad ones, as
 * happens where each statement is drawn for itself (Sympson and Hetter 1985), which measures real people worse.
 */
export function hasEligiblePlace(
  item_id: string,
  trait: string,
  seed: string,
  bank: ItemBank<string>,
  share: number,
): boolean {
  const place = rankStatements(bank).get(item_id);
  if (place === undefined) return false;
  const start = hashText(`${seed}:${trait}`) / 2 ** 32;
  return Math.floor(start + share * (place + 1)) > Math.floor(start + share * place);
}

/** Ranks the statements of each trait by their information about the whole population, from 0. */
const rankStatements = cacheByObject((bank: ItemBank<string>): ReadonlyMap<string, number> => {
  const places = new Map<string, number>();
  for (const statements of bank.gradedByTrait.values()) {
    const ranked = statements
      .map((item) => ({
        id: item.id,
        information: computeNormalAverage(getItemCurves(item).information, 0, 1),
      }))
      .toSorted((one, other) => other.information - one.information);
    for (const [place, { id }] of ranked.entries()) places.set(id, place);
  }
  return places;
});

/** FNV-1a over UTF-16 units with a final mix. It spreads the statements over members and has no security purpose. */
function hashText(text: string): number {
  let state = 2166136261;
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 16777619);
  }
  state = Math.imul(state ^ (state >>> 15), 2246822519);
  return (state ^ (state >>> 13)) >>> 0;
}
