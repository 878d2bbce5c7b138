import { requireBankItem } from '../../src/modules/measurement/traits/items/bank.ts';
import { itemBank } from '../../src/modules/measurement/traits/items/item-bank.ts';
import type { GradedItem, Item, Scenario } from '../../src/modules/measurement/traits/items/item.ts';
import type { CategoricalTrait, ContinuousTrait } from '../../src/modules/measurement/traits/taxonomy.ts';

export { categoricalTraitCodes } from '../../src/modules/measurement/traits/taxonomy.ts';

const scenariosByTrait = Map.groupBy(itemBank.scenarios, (item) => item.trait);

/** Finds the item of a stored answer. Throws for an unknown id, because only answers to known items are stored. */
export function requireItem(id: string): Item {
  return requireBankItem(itemBank, id);
}

export function listGradedItems(trait: ContinuousTrait): readonly GradedItem[] {
  return itemBank.gradedByTrait.get(trait) ?? [];
}

export function listScenarios(trait: CategoricalTrait): readonly Scenario[] {
  return scenariosByTrait.get(trait) ?? [];
}
