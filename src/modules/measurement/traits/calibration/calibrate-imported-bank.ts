import path from 'node:path';
import { createProgressBar, type ProgressOutput } from '#lib/progress-bar.ts';
import { recordAudit } from '#modules/operations/audit';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import { readAnswerTable, type MissingAnswers } from '../banks/answer-table.ts';
import { buildParameterVersion, listAnswerRanges, requireForm, type Norms } from '../banks/bank-version.ts';
import { listCompatibleForms } from '../banks/compatible-forms.ts';
import { listParameters, replaceParameters, type ItemBank } from '../items/bank.ts';
import { buildUncalibrated } from '../items/build-bank.ts';
import type { Answer } from '../items/item.ts';
import { findOwnLanguage, type BankForm } from '../items/bank-form.ts';
import { english } from '../items/languages.ts';
import { listBankLanguages } from '../items/translate-bank.ts';
import { insertParameterVersion } from '../parameters/store.ts';
import { calibrateBank, type BankCalibration } from './calibrate-bank.ts';
import { collectPublicAnswers } from '../volunteers/collect-public-answers.ts';
import type { CalibrationResult, Exclusions } from './calibration-result.ts';
import { requireRespondents, respondentLimits } from './respondents.ts';
import { sampleEvenly } from './trait-correlations.ts';

type Input = {
  readonly bank: string;
  readonly csv: string | undefined;
  readonly key: string | undefined;
  /** `public` for the answers of volunteers instead of a file. */
  readonly answers: string | undefined;
  /** The language of the answers; without it, that of the statements. */
  readonly language: string | undefined;
};

/**
 * Estimates the parameters of an imported bank from a file of answers or from those of volunteers, and stores them as a version. The parameters are those of one language:
 * respondents who read the statements in another are left out, and the result says how many. Every other respondent with an answer counts; of
 * more than `respondentLimits.most`, as many evenly spread over the file, and the result says how many do not.
 *
 * @throws OperatorError for an unknown bank, a file that cannot be read, or too few respondents. Nothing is stored then.
 */
export async function calibrateImportedBank(
  platform: Pick<Platform, 'database' | 'now'>,
  { bank, csv, key, answers, language: stated }: Input,
  output: ProgressOutput,
): Promise<CalibrationResult> {
  if ((csv === undefined && answers === undefined) || key !== undefined)
    throw new OperatorError('--bank needs --csv with answers or --answers public, and has its own key');
  const form = await requireForm(platform, bank);
  const uncalibrated = buildUncalibrated(form, stated);
  if (stated !== undefined && !listBankLanguages(uncalibrated).includes(stated))
    throw new OperatorError(
      `--language ${stated.slice(0, 40)}: not every statement of "${bank}" has its text and its options in it`,
    );
  const languages = { wanted: uncalibrated.language ?? english, own: findOwnLanguage(form.form) };
  const { answered, source, left_out, ...collected } = await collectAnswers(platform, form.form, {
    bank,
    csv,
    languages,
  });
  if (left_out.languages && answered.length < respondentLimits.fewest)
    throw new OperatorError(
      `a calibration needs at least ${respondentLimits.fewest} respondents in ${languages.wanted}, but only ${answered.length} are available; ${left_out.languages} read the statements in another language, which --language names`,
    );
  requireRespondents(answered.length);
  const answerSets = sampleEvenly(answered, respondentLimits.most);
  const drawProgress = createProgressBar('calibrating', output);
  const calibration = calibrateBank(uncalibrated, answerSets, (share) =>
    drawProgress(Math.floor(share * 1000), 1000),
  );
  const norms = { size: answerSets.length, date: platform.now().toISOString(), source };
  const missing = { ...collected.missing, unused_respondents: answered.length - answerSets.length };
  const stored = await storeVersion(platform, { bank, uncalibrated, calibration, norms, missing });
  const { traits, choices, parameters } = calibration;
  const { correlations } = parameters;
  return { ...stored, respondents: answerSets.length, left_out, missing, traits, choices, correlations };
}

/** The language whose answers count, and that of answers that do not say it. */
type Languages = { readonly wanted: string; readonly own: string };

type Collected = {
  readonly answered: readonly (readonly Answer[])[];
  /** Where the answers are from, for the norms. */
  readonly source: string;
  readonly left_out: Exclusions;
  readonly missing: MissingAnswers;
};

async function collectAnswers(
  platform: Pick<Platform, 'database'>,
  form: BankForm,
  {
    bank,
    csv,
    languages,
  }: { readonly bank: string; readonly csv: string | undefined; readonly languages: Languages },
): Promise<Collected> {
  if (csv === undefined) {
    const ids = form.statements.map(({ item_id }) => item_id);
    const { answerSets, left_out, missing } = await collectPublicAnswers(
      platform,
      { versions: await listCompatibleForms(platform.database, bank, form), item_ids: ids },
      languages,
    );
    return { answered: answerSets, source: 'volunteers', left_out: { ...left_out, columns: 0 }, missing };
  }
  const table = await readAnswerTable(csv, listAnswerRanges(form));
  const rows = [...table.people.keys()].filter(
    (row) => (table.languages[row] || languages.own) === languages.wanted,
  );
  return {
    answered: rows.map((row) => table.listAnswers(row)).filter(({ length }) => length > 0),
    source: path.basename(csv),
    left_out: {
      careless: 0,
      columns: table.ignored_columns,
      languages: table.people.length - rows.length,
    },
    missing: table.missing,
  };
}

type NewVersion = {
  readonly bank: string;
  readonly uncalibrated: ItemBank<string>;
  readonly calibration: BankCalibration;
  readonly norms: Norms;
  readonly missing: CalibrationResult['missing'];
};

async function storeVersion(
  platform: Pick<Platform, 'database' | 'now'>,
  { bank, uncalibrated, calibration, norms, missing }: NewVersion,
): Promise<Pick<CalibrationResult, 'version' | 'is_new' | 'provisional'>> {
  const { respondents, traits } = calibration;
  const provisional = respondents < respondentLimits.settled;
  const parameters = listParameters(
    replaceParameters(uncalibrated, uncalibrated.version, provisional, calibration.parameters),
  );
  const version = buildParameterVersion(uncalibrated.version, parameters);
  const now = platform.now();
  const is_new = await platform.database.transaction(async (tx) => {
    const isNew = await insertParameterVersion(tx, {
      bank,
      version,
      item_bank_version: uncalibrated.version,
      provisional,
      base_version: null,
      parameters,
      respondents,
      report: { norms, missing, traits },
      created_at: now,
    });
    const detail = { bank, version, respondents };
    if (isNew) await recordAudit(tx, { now, actor: null, action: 'items.calibrated', detail });
    return isNew;
  });
  return { version, is_new, provisional };
}
