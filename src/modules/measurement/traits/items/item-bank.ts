import { familyCovariance, judgedCovariance } from '../prior.ts';
import { continuousTraits, traitFamilies } from '../taxonomy.ts';
import { indexBank, type ItemBank } from './bank.ts';
import { anchorItems, anchorScenarios } from './norms.ts';
import { buildSituation } from './situations.ts';
import { buildOwnItems, readOwnForm } from './tessera-form.ts';

const { graded: judgedItems, retired: retiredItems } = buildOwnItems();

/**
 * The statements and situations of MVP-20, all written for this project (`tessera-statements.csv`, `tessera-situations.csv`). Half of the
 * statements of each trait are reversed, so that agreeing with everything says nothing about any trait. docs/decisions/measurement.md has the rules of their texts.
 *
 * The parameters are the first ones, which are judgements. Only old assessments and vectors refer to them, because the average person
 * agrees more than they assume.
 *
 * The discrimination (1.2 to 2.0) reflects how directly a statement asks about its trait, the middle of the thresholds (-0.9 to 0.9) how
 * much of the trait agreement requires, and the distances between the thresholds the usual spread of answers on a five-step scale (about
 * 1.1 a step). The values vary by up to two tenths, so that no two statements look like copies of each other. For a reversed statement
 * they describe the keyed category, which is disagreement.
 */
export const judgedBank: ItemBank = indexBank({
  version: 'mvp20-2',
  parameter_version: 'mvp20-1.judged',
  provisional: true,
  traits: continuousTraits,
  families: new Map(
    Object.entries(traitFamilies).flatMap(([family, codes]) => codes.map((code) => [code, family])),
  ),
  covariance: familyCovariance,
  graded: judgedItems,
  retired: retiredItems,
  scenarios: readOwnForm().situations.map(buildSituation),
  errors: {
    shared: { location: 0.7, log_discrimination: 0.15 },
    items: { location: 0.4, log_discrimination: 0.35 },
  },
});

/**
 * The judged bank, moved so that the average person answers as published norms say. Only assessments and vectors from before the judged
 * correlations refer to it.
 *
 * The errors are those that the sources show (docs/decisions/measurement.md): scales of one construct differ by about 0.3 standard deviations between
 * questionnaires and samples, and ours are not among them; discriminations of the 25 real items vary by 0.35 in ln a within scales and
 * by 0.15 between them.
 */
const anchoredBank: ItemBank = indexBank({
  ...judgedBank,
  parameter_version: `${judgedBank.version}.anchored`,
  graded: anchorItems(judgedItems),
  retired: anchorItems(retiredItems, judgedItems),
  scenarios: anchorScenarios(judgedBank.scenarios),
  errors: { ...judgedBank.errors, shared: { location: 0.4, log_discrimination: 0.15 } },
});

/**
 * The bank whose parameters new assessments use until a calibration replaces them: the anchored ones with the judged correlations. They
 * stay provisional until answers of at least 500 respondents have calibrated them.
 */
export const itemBank: ItemBank = indexBank({
  ...anchoredBank,
  parameter_version: `${judgedBank.version}.correlated`,
  covariance: judgedCovariance,
});

/** The banks that are part of the program, by the version of their parameters. */
export const builtInBanks: ReadonlyMap<string, ItemBank> = new Map(
  [judgedBank, anchoredBank, itemBank].map((bank) => [bank.parameter_version, bank]),
);
