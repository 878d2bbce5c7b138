import type { ItemParameters } from '@tessera/psychometrics';
import type { ContinuousTrait } from '../taxonomy.ts';
import { listPartners, mergePartners, type BankDecisions, type Partner } from './decisions.ts';
import {
  isGraded,
  type ChoiceParameters,
  type GradedItem,
  type Item,
  type ParameterErrors,
  type Scenario,
} from './item.ts';

/** Items with one version of their parameters: everything that a measurement reads. */
export type ItemBank<Trait extends string = ContinuousTrait> = {
  /** The version of the texts. */
  readonly version: string;
  /** The version of the parameters: discriminations, thresholds and correlations. */
  readonly parameter_version: string;
  /** Whether the parameters are not yet calibrated with the answers of enough respondents. */
  readonly provisional: boolean;
  /** The traits in the order that every posterior uses. */
  readonly traits: readonly Trait[];
  /** The family of each trait: consecutive statements come from different families where possible. */
  readonly families: ReadonlyMap<string, string>;
  /** The prior covariance of the traits, 1 on the diagonal. */
  readonly covariance: readonly (readonly number[])[];
  readonly graded: readonly GradedItem<Trait>[];
  /** Statements that are no longer asked. They score stored answers. */
  readonly retired?: readonly GradedItem<Trait>[];
  /** New statements, which are asked of volunteers and count nothing. */
  readonly seeded?: readonly GradedItem<Trait>[];
  readonly scenarios: readonly Scenario[];
  /** The statements that must not be asked with a statement or share more than their trait with it, by its id. */
  readonly partners?: ReadonlyMap<string, readonly Partner[]>;
  /** What was decided about statements. */
  readonly decisions?: BankDecisions;
  /** Which of our traits the scales of an imported bank measure, if it may be used for members. */
  readonly map?: TraitMap;
  /** The name of an imported bank. Ours has none. */
  readonly name?: string;
  /** The language of the texts, and of the answers that the parameters are of; English if it is not said. */
  readonly language?: string;
  /** What is known of how the statements work in other languages. */
  readonly languages?: LanguageParameters | undefined;
  /** How wrong the parameters may be. */
  readonly errors: BankErrors;
  /** The index of each trait in `traits`. */
  readonly slots: ReadonlyMap<string, number>;
  readonly itemsById: ReadonlyMap<string, Item<Trait>>;
  readonly gradedByTrait: ReadonlyMap<string, readonly GradedItem<Trait>[]>;
};

/** The trait that each scale of a bank measures, and whether it measures the opposite. Scales that are not listed are not asked. */
export type TraitMap = Readonly<
  Record<string, { readonly trait: ContinuousTrait; readonly sign: '+' | '-' }>
>;

/**
 * What answers in other languages have shown, by language: which statements work as in the language of the bank, and the parameters of those that do
 * not. Of the others nothing is known.
 */
export type LanguageParameters = Readonly<
  Record<string, { readonly alike: readonly string[]; readonly items: BankParameters['items'] }>
>;

/** The standard deviations of the errors of a bank's parameters. */
export type BankErrors = {
  /** Errors that all statements of a trait share, because of the population that their parameters come from. */
  readonly shared: ParameterErrors;
  /** Errors of each statement that has no standard errors of its own. */
  readonly items: ParameterErrors;
};

/** The errors of parameters that are known exactly, as in a simulation. */
export const noErrors: BankErrors = {
  shared: { location: 0, log_discrimination: 0 },
  items: { location: 0, log_discrimination: 0 },
};

/** Adds the lookup maps to a bank. */
export function indexBank<Trait extends string>(
  bank: Omit<ItemBank<Trait>, 'slots' | 'itemsById' | 'gradedByTrait'>,
): ItemBank<Trait> {
  return {
    ...bank,
    slots: new Map(bank.traits.map((trait, slot) => [trait, slot])),
    itemsById: new Map<string, Item<Trait>>(
      [...bank.graded, ...(bank.retired ?? []), ...(bank.seeded ?? []), ...bank.scenarios].map((item) => [
        item.id,
        item,
      ]),
    ),
    gradedByTrait: Map.groupBy(bank.graded, (item) => item.trait),
  };
}

/** What a calibration estimates. A bank retains its parameters for statements that are not listed, and its correlations if these are null. */
export type BankParameters = {
  readonly items: Readonly<
    Record<string, ItemParameters & { readonly standard_errors?: ItemParameters | undefined }>
  >;
  readonly correlations: readonly (readonly number[])[] | null;
  /** The parameters of situations by id. */
  readonly scenarios?: Readonly<Record<string, ChoiceParameters>> | undefined;
  /** The errors that all statements of a trait share; without them, the bank retains its own. */
  readonly shared_errors?: ParameterErrors | undefined;
  /** What was decided about statements. */
  readonly decisions?: BankDecisions | undefined;
  readonly map?: TraitMap | undefined;
  /** The errors of statements without standard errors; without them, the bank retains its own. */
  readonly item_errors?: ParameterErrors | undefined;
  /** The language of the answers that they are of; that of the statements if it is not said. */
  readonly language?: string | undefined;
  readonly languages?: LanguageParameters | undefined;
};

/** Lists all parameters of a bank, so that they say the same without the bank. */
export function listParameters({
  graded,
  retired = [],
  seeded = [],
  scenarios,
  covariance,
  errors,
  decisions,
  map,
  language,
  languages,
}: ItemBank<string>): BankParameters {
  return {
    items: Object.fromEntries(
      [...graded, ...retired, ...seeded].map(({ id, discrimination, thresholds, standard_errors }) => [
        id,
        { discrimination, thresholds, ...(standard_errors && { standard_errors }) },
      ]),
    ),
    correlations: covariance,
    ...(scenarios.length > 0 && {
      scenarios: Object.fromEntries(scenarios.map(({ id, choice }) => [id, choice])),
    }),
    shared_errors: errors.shared,
    item_errors: errors.items,
    ...(decisions && { decisions }),
    ...(map && { map }),
    ...(language !== undefined && { language }),
    ...(languages && { languages }),
  };
}

/** Returns the bank with other parameters. Ignores items that the bank does not have: they belong to an older or a newer bank. */
export function replaceParameters<Trait extends string>(
  bank: ItemBank<Trait>,
  parameter_version: string,
  provisional: boolean,
  {
    items,
    correlations,
    scenarios = {},
    shared_errors,
    item_errors,
    decisions,
    map,
    languages,
  }: BankParameters,
): ItemBank<Trait> {
  const { weights, pairs } = decisions ?? noDecisions;
  const replaceItem = (item: GradedItem<Trait>) => ({
    ...item,
    ...(Object.hasOwn(items, item.id) && items[item.id]),
    ...(Object.hasOwn(weights, item.id) && { weight: weights[item.id] }),
  });
  const graded = bank.graded.map(replaceItem);
  const retired = [...(bank.retired ?? []).map(replaceItem), ...graded.filter(isWithoutWeight)];
  return indexBank({
    ...bank,
    parameter_version,
    provisional,
    covariance: correlations ?? bank.covariance,
    graded: graded.filter((item) => !isWithoutWeight(item)),
    ...(retired.length > 0 && { retired }),
    ...(bank.seeded && { seeded: bank.seeded.map((item) => ({ ...replaceItem(item), weight: 0 })) }),
    ...(decisions && { decisions }),
    ...(map && { map }),
    ...(languages && { languages }),
    ...(pairs.length > 0 && { partners: mergePartners(bank.partners, listPartners(pairs)) }),
    errors: { shared: shared_errors ?? bank.errors.shared, items: item_errors ?? bank.errors.items },
    scenarios: bank.scenarios.map((scenario) => ({
      ...scenario,
      choice: Object.hasOwn(scenarios, scenario.id) ? scenarios[scenario.id]! : scenario.choice,
    })),
  });
}

const noDecisions: BankDecisions = { weights: {}, pairs: [] };

const isWithoutWeight = ({ weight }: GradedItem<string>) => weight === 0;

/** Finds the item of a stored answer. Throws for an unknown id, because only answers to known items are stored. */
export function requireBankItem<Trait extends string>(bank: ItemBank<Trait>, id: string): Item<Trait> {
  const item = bank.itemsById.get(id);
  if (item === undefined) throw new Error(`item bank ${bank.version} has no item ${id}`);
  return item;
}

/** Finds the statement of a stored answer; undefined for a scenario. Throws for an unknown id. */
export function findStatement<Trait extends string>(
  bank: ItemBank<Trait>,
  id: string,
): GradedItem<Trait> | undefined {
  const item = requireBankItem(bank, id);
  return isGraded(item) ? item : undefined;
}
