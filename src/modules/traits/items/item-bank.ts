import { priorCovariance } from '../measurement/prior.ts';
import { continuousTraits, traitFamilies, type CategoricalTrait, type ContinuousTrait } from '../taxonomy.ts';
import { adaptiveCapacityItems } from './adaptive-capacity.ts';
import { indexBank, requireBankItem, type ItemBank } from './bank.ts';
import { cognitiveStyleItems, decisionModeScenarios } from './cognitive-style.ts';
import { driveArchitectureItems } from './drive-architecture.ts';
import { integrityTrustItems } from './integrity-trust.ts';
import { conflictStyleScenarios, interpersonalOrientationItems } from './interpersonal-orientation.ts';
import type { GradedItem, Item, Scenario } from './item.ts';
import { retiredItems } from './retired.ts';

/**
 * The statements and situations of MVP-20, all written for this project. Half of the statements of each trait are reversed, so that
 * agreeing with everything says nothing about any trait. Decision 0045 has the rules of their texts.
 *
 * The parameters are judgements, not estimates, until answers of at least 500 respondents have calibrated them. The discrimination (1.2
 * to 2.0) reflects how directly a statement asks about its trait, the middle of the thresholds (-0.9 to 0.9) how much of the trait
 * agreement requires, and the distances between the thresholds the usual spread of answers on a five-step scale (about 1.1 a step). The
 * values vary by up to two tenths, so that no two statements look like copies of each other. For a reversed statement they describe the
 * keyed category, which is disagreement.
 */
export const itemBank: ItemBank = indexBank({
  version: 'mvp20-2',
  parameter_version: 'mvp20-2.judged',
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
  retired: retiredItems,
  scenarios: [...decisionModeScenarios, ...conflictStyleScenarios],
});

const scenariosByTrait = Map.groupBy(itemBank.scenarios, (item) => item.trait);

/** Finds an item by an id that may be unknown. */
export function findItem(id: string): Item | undefined {
  return itemBank.itemsById.get(id);
}

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
