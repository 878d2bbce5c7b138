import { type CategoricalTrait, type ContinuousTrait, continuousTraits, traitFamilies } from '../taxonomy.ts';
import { adaptiveCapacityItems } from './adaptive-capacity.ts';
import { type ItemBank, indexBank, requireBankItem } from './bank.ts';
import { cognitiveStyleItems, decisionModeScenarios } from './cognitive-style.ts';
import { driveArchitectureItems } from './drive-architecture.ts';
import { integrityTrustItems } from './integrity-trust.ts';
import { conflictStyleScenarios, interpersonalOrientationItems } from './interpersonal-orientation.ts';
import type { GradedItem, Item, Scenario } from './item.ts';
import { priorCovariance } from '../measurement/prior.ts';

/**
 * The statements and situations of MVP-20, all written for this project.
 *
 * The parameters are judgements, not estimates, until answers of at least 500 people have calibrated them: the discrimination (1.2 to
 * 2.0) from how directly a statement asks for its trait, the middle of the thresholds (-0.9 to 0.9) from how much of the trait it takes to
 * agree, and the distances between them from the spread that five-step agreement usually shows (about 1.1 a step). They are varied by
 * up to a tenth or two, so that no two statements are taken for copies of each other. For a reversed statement they describe the keyed
 * category, that is disagreement.
 */
export const itemBank: ItemBank = indexBank({
  version: 'mvp20-1',
  parameter_version: 'mvp20-1.judged',
  provisional: true,
  traits: continuousTraits,
  families: new Map(
    Object.entries(traitFamilies).flatMap(([family, codes]) => codes.map((code) => [code, family])),
  ),
  covariance: priorCovariance,
  graded: [
    ...adaptiveCapacityItems,
    ...cognitiveStyleItems,
    ...interpersonalOrientationItems,
    ...driveArchitectureItems,
    ...integrityTrustItems,
  ],
  scenarios: [...decisionModeScenarios, ...conflictStyleScenarios],
});

const scenariosByTrait = Map.groupBy(itemBank.scenarios, (item) => item.trait);

/** The item with an id, or undefined if the bank has none: ids from outside are checked here. */
export function findItem(id: string): Item | undefined {
  return itemBank.itemsById.get(id);
}

/** The item of a stored answer; throws for an unknown id, because only answers to known items are stored. */
export function requireItem(id: string): Item {
  return requireBankItem(itemBank, id);
}

export function listGradedItems(trait: ContinuousTrait): readonly GradedItem[] {
  return itemBank.gradedByTrait.get(trait) ?? [];
}

export function listScenarios(trait: CategoricalTrait): readonly Scenario[] {
  return scenariosByTrait.get(trait) ?? [];
}
