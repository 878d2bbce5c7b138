import path from 'node:path';
import { createProgressBar, type ProgressOutput } from '#lib/progress-bar.ts';
import { recordAudit } from '#modules/operations/audit';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import { readAnswerTable, type AnswerTable } from '../banks/answer-table.ts';
import { buildParameterVersion, listAnswerRanges, requireForm, type Norms } from '../banks/bank-version.ts';
import { listParameters, replaceParameters, type ItemBank } from '../items/bank.ts';
import { buildUncalibrated } from '../items/build-bank.ts';
import type { Answer } from '../items/item.ts';
import { insertParameterVersion } from '../parameters/store.ts';
import { calibrateBank, type BankCalibration } from './calibrate-bank.ts';
import type { CalibrationResult } from './calibration-result.ts';
import { requireRespondents, respondentLimits } from './respondents.ts';
import { sampleEvenly } from './trait-correlations.ts';

type Input = {
  readonly bank: string;
  readonly csv: string | undefined;
  readonly key: string | undefined;
};

/**
 * Estimates the parameters of an imported bank from a file of answers, and stores them as a version. Every respondent with an answer counts; of
 * more than `respondentLimits.most`, as many evenly spread over the file, and the result says how many do not.
 *
 * @throws OperatorError for an unknown bank, a file that cannot be read, or too few respondents. Nothing is stored then.
 */
export async function calibrateImportedBank(
  platform: Pick<Platform, 'database' | 'now'>,
  { bank, csv, key }: Input,
  output: ProgressOutput,
): Promise<CalibrationResult> {
  if (csv === undefined || key !== undefined)
    throw new OperatorError('--bank needs the answers that --csv names, and has its own key');
  const form = await requireForm(platform, bank);
  const table = await readAnswerTable(csv, listAnswerRanges(form.form));
  const answered = listAnswered(table);
  requireRespondents(answered.length);
  const uncalibrated = buildUncalibrated(form);
  const answerSets = sampleEvenly(answered, respondentLimits.most);
  const drawProgress = createProgressBar('calibrating', output);
  const calibration = calibrateBank(uncalibrated, answerSets, (share) =>
    drawProgress(Math.floor(share * 1000), 1000),
  );
  const norms = { size: answerSets.length, date: platform.now().toISOString(), source: path.basename(csv) };
  const left_out = { careless: 0, columns: table.ignored_columns };
  const missing = { ...table.missing, unused_respondents: answered.length - answerSets.length };
  const stored = await storeVersion(platform, { bank, uncalibrated, calibration, norms, missing });
  const { traits, choices, parameters } = calibration;
  const { correlations } = parameters;
  return { ...stored, respondents: answerSets.length, left_out, missing, traits, choices, correlations };
}

function listAnswered({ people, listAnswers }: AnswerTable): readonly (readonly Answer[])[] {
  return people.map((_, row) => listAnswers(row)).filter(({ length }) => length > 0);
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
