import { findStatement, type ItemBank } from '../items/bank.ts';
import { isSkipped, type Answer, type GradedItem } from '../items/item.ts';

/**
 * Returns how much an answer to a statement counts beside the other answers, from 0 to 1: the power to which its likelihood is raised.
 *
 * A decision can lower the weight of a statement. Statements that share more than their trait count less together: k measurements of equal
 * precision whose errors correlate by r have the information of k / (1 + (k - 1) r) independent ones, so each counts 1 / (1 + the sum of
 * its correlations with those that were answered). Two statements with a correlation of 0.5 count as 1.33. The order of the answers does not matter.
 */
export function createWeigher(
  answers: readonly Answer[],
  bank: ItemBank<string>,
): (item: GradedItem<string>) => number {
  const { partners } = bank;
  if (!partners) return ({ weight = 1 }) => weight;
  const counted = new Set(
    answers.flatMap(({ item_id, option }) => {
      const item = findStatement(bank, item_id);
      return item && item.weight !== 0 && !isSkipped(item, option) ? [item_id] : [];
    }),
  );
  return ({ id, weight = 1 }) =>
    (partners.get(id) ?? []).reduce(
      (sum, { item_id, correlation }) => sum + (counted.has(item_id) ? correlation : 0),
      1,
    ) **
      -1 *
    weight;
}

/** Says whether a statement that was asked excludes this one. */
export function hasAskedEnemy(id: string, asked: ReadonlySet<string>, bank: ItemBank<string>): boolean {
  const partners = bank.partners?.get(id) ?? [];
  return partners.some(({ item_id, is_asked_together }) => !is_asked_together && asked.has(item_id));
}
