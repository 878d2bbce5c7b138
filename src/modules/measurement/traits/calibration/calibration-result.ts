import type { MissingAnswers } from '../banks/answer-table.ts';
import type { BankParameters } from '../items/bank.ts';
import type { TraitReport } from './calibrate-bank.ts';
import type { ChoiceReport } from './calibrate-choices.ts';

export type CalibrationResult = {
  /** The stored version; null for another questionnaire, whose parameters are not stored. */
  readonly version: string | null;
  /** Whether the version is new. The same answers give the same parameters, which are one version. */
  readonly is_new: boolean;
  readonly provisional: boolean;
  readonly respondents: number;
  readonly left_out: Exclusions;
  /** The answers to an imported bank, or those of volunteers, that are missing. Nobody is left out because of them. */
  readonly missing?: MissingAnswers & { readonly unused_respondents: number };
  readonly traits: readonly TraitReport[];
  readonly choices: readonly ChoiceReport[];
  readonly correlations: BankParameters['correlations'];
};

/** What a calibration did not use: respondents with a signal of careless answers or in another language, columns that are not items, and second tests of volunteers. */
export type Exclusions = {
  readonly careless: number;
  readonly columns: number;
  readonly retests?: number;
  /** Respondents who read the statements in another language. */
  readonly languages?: number;
};
