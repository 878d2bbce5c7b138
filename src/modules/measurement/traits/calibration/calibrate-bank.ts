import {
  type Calibration,
  computeFit,
  estimateParameters,
  type Fit,
  fitLimits,
  type ItemParameters,
  type Responses,
  toKeyedCategory,
  unanswered,
} from '@tessera/psychometrics';
import { replaceParameters, type BankParameters, type ItemBank } from '../items/bank.ts';
import { isSkipped, type Answer, type GradedItem, type ParameterErrors } from '../items/item.ts';
import { calibrateChoices, toChoiceParameters, type ChoiceReport } from './calibrate-choices.ts';
import { estimateCorrelations } from './trait-correlations.ts';

export type ItemFlag = 'few_answers' | 'weak' | 'misfit';

/** What a calibration reports about an item. The parameters are in population standard deviations. */
export type ItemReport = ItemParameters & {
  readonly item_id: string;
  readonly standard_errors: ItemParameters;
  readonly answers: number;
  readonly infit: number;
  readonly outfit: number;
  readonly flags: readonly ItemFlag[];
};

export type TraitReport = {
  readonly trait: string;
  readonly reliability: number;
  readonly cycles: number;
  readonly converged: boolean;
  readonly items: readonly ItemReport[];
  /** Pairs of items that share more than the trait: those above `fitLimits.residual_correlation`. */
  readonly residual_correlations: readonly {
    readonly items: readonly [string, string];
    readonly correlation: number;
    /** How many respondents answered both. */
    readonly answers: number;
  }[];
};

export type BankCalibration = {
  readonly respondents: number;
  readonly traits: readonly TraitReport[];
  readonly choices: readonly ChoiceReport[];
  readonly parameters: BankParameters;
};

/** Below the first limit an estimate depends more on the judged parameters than on answers; below the second an item is flagged as weak. */
export const itemLimits = { fewest_answers: 100, weakest_discrimination: 0.6 } as const;

/** The spread of the prior around the judged parameters: a factor of 1.6 in the discrimination, 1.5 standard deviations in a threshold. */
const prior = { discrimination_log_sd: 0.5, threshold_sd: 1.5 } as const;

/**
 * Estimates the parameters of all statements and situations of a bank from the answers of each respondent, trait by trait, and the
 * correlations of the traits. The bank's own parameters are the centre of the prior, so that a statement with few answers stays near them. Always
 * calibrate from the judged bank: after an earlier calibration, the same answers would count twice.
 *
 * @param given The answers of each respondent. Those to items that the bank does not have are ignored.
 * @param onProgress Receives the share that is done, from 0 to 1.
 */
export function calibrateBank(
  bank: ItemBank<string>,
  given: readonly (readonly Answer[])[],
  onProgress: (share: number) => void = () => undefined,
): BankCalibration {
  const answerSets = given.map((answers) => answers.filter(({ item_id }) => bank.itemsById.has(item_id)));
  const calibrated = bank.traits.map((trait, index) => {
    const reportStep = (share: number) => onProgress((index + share) / (bank.traits.length + 1));
    return calibrateTrait(trait, bank.gradedByTrait.get(trait) ?? [], answerSets, reportStep);
  });
  const items = Object.fromEntries(
    calibrated.flatMap(({ parameters }) => parameters.map(({ id, ...estimated }) => [id, estimated])),
  );
  const calibratedBank = replaceParameters(bank, bank.parameter_version, true, { items, correlations: null });
  const correlations = estimateCorrelations(calibratedBank, answerSets);
  const choices = [...new Set(bank.scenarios.map(({ trait }) => trait))].map((trait) =>
    calibrateChoices(trait, bank, answerSets),
  );
  const scenarios = Object.fromEntries(
    choices.flatMap((report) => Object.entries(toChoiceParameters(report))),
  );
  onProgress(1);
  return {
    respondents: answerSets.length,
    traits: calibrated.map(({ report }) => report),
    choices,
    parameters: { items, correlations, scenarios, shared_errors: computeSharedErrors(answerSets.length) },
  };
}

/**
 * Computes the errors that all statements of a trait share because the zero and the unit of the scale are the mean and the standard deviation
 * of the respondents, who are a sample of the population: 1 / sqrt(n) for the mean, and 1 / sqrt(2 n) for the logarithm of the deviation.
 */
function computeSharedErrors(respondents: number): ParameterErrors {
  return {
    location: round(1 / Math.sqrt(respondents)),
    log_discrimination: round(1 / Math.sqrt(2 * respondents)),
  };
}

const cycles_max = 500;

function calibrateTrait(
  trait: string,
  items: readonly GradedItem<string>[],
  answerSets: readonly (readonly Answer[])[],
  onProgress: (share: number) => void,
): {
  readonly report: TraitReport;
  readonly parameters: readonly (ItemParameters & {
    readonly id: string;
    readonly standard_errors: ItemParameters;
  })[];
} {
  const responses = buildResponses(items, answerSets);
  const calibration = estimateParameters(
    items.map(({ id, discrimination, thresholds }) => ({
      id,
      categories: thresholds.length + 1,
      prior: { discrimination, thresholds, ...prior },
    })),
    responses,
    { cycles_max, onCycle: (cycle) => onProgress(cycle / cycles_max) },
  );
  const rounded = calibration.items.map(({ id, standard_errors, ...estimated }) => ({
    id,
    ...roundParameters(estimated),
    standard_errors: roundParameters(standard_errors),
  }));
  return {
    report: buildTraitReport(trait, calibration, computeFit(calibration.items, responses)),
    parameters: rounded,
  };
}

/** Lists the keyed categories of each respondent who answered any of the items. A second answer to an item is ignored. */
function buildResponses(
  items: readonly GradedItem<string>[],
  answerSets: readonly (readonly Answer[])[],
): Responses {
  const columns = new Map(items.map((item, column) => [item.id, { item, column }]));
  return answerSets.flatMap((answers) => {
    const row = new Int8Array(items.length).fill(unanswered);
    for (const { item_id, option } of answers) {
      const entry = columns.get(item_id);
      if (!entry || row[entry.column] !== unanswered || isSkipped(entry.item, option)) continue;
      row[entry.column] = toKeyedCategory(entry.item, option);
    }
    return row.some((category) => category !== unanswered) ? [row] : [];
  });
}

function buildTraitReport(trait: string, { items, cycles, converged }: Calibration, fit: Fit): TraitReport {
  return {
    trait,
    reliability: round(fit.reliability),
    cycles,
    converged,
    items: items.map(({ id, answers, discrimination, thresholds, standard_errors }, index) => {
      const [infit, outfit] = [fit.infit[index]!, fit.outfit[index]!];
      return {
        item_id: id,
        ...roundParameters({ discrimination, thresholds }),
        standard_errors: roundParameters(standard_errors),
        answers,
        infit: answers === 0 ? 1 : round(infit),
        outfit: answers === 0 ? 1 : round(outfit),
        flags: computeFlags(answers, discrimination, infit, outfit),
      };
    }),
    residual_correlations: fit.residual_correlations
      .filter(({ correlation }) => Math.abs(correlation) > fitLimits.residual_correlation)
      .map(({ items: [one, other], correlation, answers }) => ({
        items: [items[one]!.id, items[other]!.id],
        correlation: round(correlation),
        answers,
      })),
  };
}

function computeFlags(answers: number, discrimination: number, infit: number, outfit: number): ItemFlag[] {
  const { lowest, highest } = fitLimits.mean_square;
  if (answers < itemLimits.fewest_answers) return ['few_answers'];
  return [
    ...(discrimination < itemLimits.weakest_discrimination ? (['weak'] as const) : []),
    ...([infit, outfit].some((square) => square < lowest || square > highest) ? (['misfit'] as const) : []),
  ];
}

function roundParameters({ discrimination, thresholds }: ItemParameters): ItemParameters {
  return { discrimination: round(discrimination), thresholds: thresholds.map(round) };
}

/** Rounds to four decimals, which is finer than any standard error. */
function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
