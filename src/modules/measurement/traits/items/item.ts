import type { ItemParameters } from '@tessera/psychometrics';
import type { CategoricalTrait, ContinuousTrait } from '../taxonomy.ts';

/** The options of the agreement scale, from option 0 to option 4. */
export const agreementScale = [
  'Strongly disagree',
  'Disagree',
  'Neither agree nor disagree',
  'Agree',
  'Strongly agree',
] as const;

/** The option that skips a statement that may not apply. */
const skip = 'Does not apply to me';

/** Standard deviations of errors: of all thresholds together, in population standard deviations, and of ln a. */
export type ParameterErrors = { readonly location: number; readonly log_discrimination: number };

/** A statement that is answered on an ordered scale. The parameters of the graded response model apply to the keyed category. */
export type GradedItem<Trait extends string = ContinuousTrait> = ItemParameters & {
  readonly id: string;
  readonly trait: Trait;
  readonly text: string;
  /** Agreement indicates a low value of the trait. */
  readonly reversed?: true;
  /** The statement assumes something that not everyone has, such as a group. Its last option says that it does not apply, and skips it. */
  readonly may_not_apply?: true;
  /** The options in words, from option 0 on, if they are not those of {@link agreementScale}. */
  readonly options?: readonly string[] | undefined;
  /** The words of the option that skips the statement, if they are not those of {@link skip}. */
  readonly skip?: string | undefined;
  /** What members read, by language: every language in which the statement has its text and its options. */
  readonly translations?: Readonly<Record<string, Translation>> | undefined;
  /** The standard errors of the parameters, if a calibration has estimated them. */
  readonly standard_errors?: ItemParameters | undefined;
  /** The share that an answer counts, if a decision lowers it; 0 for a statement that a decision has retired. */
  readonly weight?: number | undefined;
};

/** What members read of a statement in one language. */
export type Translation = Pick<GradedItem, 'text' | 'options' | 'skip'>;

/** The parameters of a work situation: a nominal model with the ways of acting in the order of the taxonomy. */
export type ChoiceParameters = {
  /** The popularity of each way in this situation, as a logarithm; only differences matter. */
  readonly popularity: readonly number[];
  /** The standard deviation of the members' preferences for a way, in the same unit. */
  readonly spread: number;
  /** The standard deviation of the error of the popularity of a way that all situations of the trait share. */
  readonly norm_error: number;
};

/** A work situation with one option for each way of acting. */
export type Scenario = {
  readonly id: string;
  readonly trait: CategoricalTrait;
  readonly text: string;
  readonly options: readonly { readonly text: string; readonly value: string }[];
  readonly choice: ChoiceParameters;
  /** What members read, by language: every language in which the situation and all its options have their text. */
  readonly translations: Readonly<Record<string, SituationTexts>>;
};

/** What members read of a situation in one language, the options in their order. */
export type SituationTexts = { readonly text: string; readonly options: readonly string[] };

export type Item<Trait extends string = ContinuousTrait> = GradedItem<Trait> | Scenario;

/** An answer. `option` is the index into `listOptionTexts`; `response_time_ms` is the time from showing the item to the answer, if known. */
export type Answer = {
  readonly item_id: string;
  readonly option: number;
  readonly response_time_ms?: number;
};

/** Lists the texts of the options, in the order in which they are shown. */
export function listOptionTexts(item: Item<string>): readonly string[] {
  if (!isGraded(item)) return item.options.map((option) => option.text);
  const { options = agreementScale, may_not_apply, skip: skipping = skip } = item;
  return may_not_apply ? [...options, skipping] : options;
}

/** Whether the chosen option says that the statement does not apply. Such an answer counts as given and says nothing about the trait. */
export function isSkipped(
  { may_not_apply, thresholds }: Pick<GradedItem<string>, 'may_not_apply' | 'thresholds'>,
  option: number,
): boolean {
  return may_not_apply === true && option === thresholds.length + 1;
}

/** Whether an item is a statement, not a scenario. */
export function isGraded<Trait extends string>(item: Item<Trait>): item is GradedItem<Trait> {
  return 'thresholds' in item;
}

/** The judged parameters: all ways are equally popular. */
export const equalChoice: ChoiceParameters = { popularity: [0, 0, 0, 0, 0], spread: 1, norm_error: 1 };
