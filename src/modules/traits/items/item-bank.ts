import type { CategoricalTrait, ContinuousTrait } from '../taxonomy.ts';
import { adaptiveCapacityItems } from './adaptive-capacity.ts';
import { cognitiveStyleItems, decisionModeScenarios } from './cognitive-style.ts';
import { driveArchitectureItems } from './drive-architecture.ts';
import { integrityTrustItems } from './integrity-trust.ts';
import { conflictStyleScenarios, interpersonalOrientationItems } from './interpersonal-orientation.ts';
import type { GradedItem, Item, Scenario } from './item.ts';

/**
 * The statements and situations of MVP-20, all written for this project.
 *
 * The parameters are judgements, not estimates, until answers of at least 500 people have calibrated them: the discrimination (1.2 to
 * 2.0) from how directly a statement asks for its trait, the middle of the thresholds (-0.9 to 0.9) from how much of the trait it takes to
 * agree, and the distances between them from the spread that five-step agreement usually shows (about 1.1 a step). They are varied by
 * up to a tenth or two, so that no two statements are taken for copies of each other. For a reversed statement they describe the keyed
 * category, that is disagreement.
 */
export const itemBank = {
  version: 'mvp20-1',
  provisional: true,
  graded: [
    ...adaptiveCapacityItems,
    ...cognitiveStyleItems,
    ...interpersonalOrientationItems,
    ...driveArchitectureItems,
    ...integrityTrustItems,
  ] as readonly GradedItem[],
  scenarios: [...decisionModeScenarios, ...conflictStyleScenarios] as readonly Scenario[],
} as const;

const byId: ReadonlyMap<string, Item> = new Map(
  [...itemBank.graded, ...itemBank.scenarios].map((item) => [item.id, item]),
);
const gradedByTrait = Map.groupBy(itemBank.graded, (item) => item.trait);
const scenariosByTrait = Map.groupBy(itemBank.scenarios, (item) => item.trait);

/** The item with an id, or undefined if the bank has none: ids from outside are checked here. */
export function findItem(id: string): Item | undefined {
  return byId.get(id);
}

/** The item of a stored answer; throws for an unknown id, because only answers to known items are stored. */
export function getItem(id: string): Item {
  const item = byId.get(id);
  if (item === undefined) throw new Error(`item bank ${itemBank.version} has no item ${id}`);
  return item;
}

export function gradedItemsOf(trait: ContinuousTrait): readonly GradedItem[] {
  return gradedByTrait.get(trait) ?? [];
}

export function scenariosOf(trait: CategoricalTrait): readonly Scenario[] {
  return scenariosByTrait.get(trait) ?? [];
}
