import type { ContinuousTrait } from '../taxonomy.ts';
import { type GradedItem, type Item, type Scenario, type Thresholds, isGraded } from './item.ts';

/** Items with one version of their parameters: all that the measurement reads. The traits are in the order of every posterior. */
export type ItemBank<Trait extends string = ContinuousTrait> = {
  /** The version of the texts. */
  readonly version: string;
  /** The version of the numbers: discriminations, thresholds and correlations. */
  readonly parameter_version: string;
  /** Whether the numbers still wait for the answers of enough people. */
  readonly provisional: boolean;
  readonly traits: readonly Trait[];
  /** The family of each trait: two statements in a row come from two families where they can. */
  readonly families: ReadonlyMap<string, string>;
  /** The prior covariance of the traits, 1 on the diagonal. */
  readonly covariance: readonly (readonly number[])[];
  readonly graded: readonly GradedItem<Trait>[];
  readonly scenarios: readonly Scenario[];
  /** The place of each trait in `traits`. */
  readonly slots: ReadonlyMap<string, number>;
  readonly itemsById: ReadonlyMap<string, Item<Trait>>;
  readonly gradedByTrait: ReadonlyMap<string, readonly GradedItem<Trait>[]>;
};

/** Puts the indices to a bank's items. */
export function indexBank<Trait extends string>(
  bank: Omit<ItemBank<Trait>, 'slots' | 'itemsById' | 'gradedByTrait'>,
): ItemBank<Trait> {
  return {
    ...bank,
    slots: new Map(bank.traits.map((trait, slot) => [trait, slot])),
    itemsById: new Map<string, Item<Trait>>(
      [...bank.graded, ...bank.scenarios].map((item) => [item.id, item]),
    ),
    gradedByTrait: Map.groupBy(bank.graded, (item) => item.trait),
  };
}

/** What a calibration estimates. Statements that it does not name keep their parameters, and so do the correlations where there are none. */
export type BankParameters = {
  readonly items: Readonly<
    Record<string, { readonly discrimination: number; readonly thresholds: Thresholds }>
  >;
  readonly correlations: readonly (readonly number[])[] | null;
};

/** The same items with other numbers. Items that the bank does not have are passed over: they are of an older or a newer one. */
export function replaceParameters<Trait extends string>(
  bank: ItemBank<Trait>,
  parameter_version: string,
  provisional: boolean,
  { items, correlations }: BankParameters,
): ItemBank<Trait> {
  return indexBank({
    ...bank,
    parameter_version,
    provisional,
    covariance: correlations ?? bank.covariance,
    graded: bank.graded.map((item) =>
      Object.hasOwn(items, item.id) ? { ...item, ...items[item.id] } : item,
    ),
  });
}

/** The item of a stored answer; throws for an unknown id, because only answers to known items are stored. */
export function requireBankItem<Trait extends string>(bank: ItemBank<Trait>, id: string): Item<Trait> {
  const item = bank.itemsById.get(id);
  if (item === undefined) throw new Error(`item bank ${bank.version} has no item ${id}`);
  return item;
}

/** The statement of a stored answer, or undefined for a scenario. */
export function findStatement<Trait extends string>(
  bank: ItemBank<Trait>,
  id: string,
): GradedItem<Trait> | undefined {
  const item = requireBankItem(bank, id);
  return isGraded(item) ? item : undefined;
}
