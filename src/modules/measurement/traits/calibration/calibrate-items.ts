import { createHash } from 'node:crypto';
import { nil_uuid } from '#lib/nil-uuid.ts';
import { createProgressBar, type ProgressOutput } from '#lib/progress-bar.ts';
import { recordAudit, type NewAuditEntry } from '#modules/operations/audit';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import type { BankParameters, ItemBank } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import { english } from '../items/languages.ts';
import type { Answer } from '../items/item.ts';
import { calibrateImportedBank } from './calibrate-imported-bank.ts';
import { readAnswersCsv } from './answers-csv.ts';
import { calibrateBank, type BankCalibration } from './calibrate-bank.ts';
import type { CalibrationResult, Exclusions } from './calibration-result.ts';
import { findInCalibration } from './find-in-calibration.ts';
import { requireRespondents, respondentLimits } from './respondents.ts';
import { collectPublicAnswers } from '../volunteers/collect-public-answers.ts';
import { sampleEvenly } from './trait-correlations.ts';
import { recordFindings } from '../parameters/record-findings.ts';
import {
  countMeasuredMembers,
  findNewestCalibration,
  insertParameterVersion,
  listCompleteAnswers,
  ownBank,
} from '../parameters/store.ts';

/**
 * Estimates the parameters of the statements from the answers of all measured members or from a CSV file (`csv`, with `key` for another
 * questionnaire). Stores the parameters of our own statements as a new immutable version, which has no effect until it is put into use.
 *
 * With `answers` "public", those of volunteers, who have no account.
 *
 * With `bank`, the answers are those to an imported bank ({@link calibrateImportedBank}).
 *
 * Only the last complete assessment of each member counts. Assessments with a signal of careless answering are excluded, and so are
 * members who have withdrawn their consent.
 *
 * @throws OperatorError for a file that cannot be read, or for fewer than `respondentLimits.fewest` respondents.
 */
export async function calibrateItems(
  platform: Pick<Platform, 'database' | 'now'>,
  { csv, key, answers, language, bank: bankName = ownBank }: Readonly<Record<string, string>>,
  output: ProgressOutput = process.stderr,
): Promise<CalibrationResult> {
  requireKnownAnswers(answers, csv);
  if (bankName !== ownBank)
    return calibrateImportedBank(platform, { bank: bankName, csv, key, answers, language }, output);
  if (language !== undefined)
    throw new OperatorError('--language is for imported banks; our own has its parameters in English');
  if (key !== undefined && csv === undefined)
    throw new OperatorError('--key describes the file that --csv names: add --csv');
  const { bank, answerSets, left_out, missing } = await collectAnswers(platform, { csv, key, answers });
  requireRespondents(answerSets.length);
  const drawProgress = createProgressBar('calibrating', output);
  const calibration = calibrateBank(bank, answerSets, (share) =>
    drawProgress(Math.floor(share * 1000), 1000),
  );
  const result = { ...buildResult(calibration, left_out), ...(missing && { missing }) };
  if (bank.version !== itemBank.version) return { version: null, is_new: false, ...result };
  return { ...(await storeCalibration(platform, calibration, { left_out, actor: null })), ...result };
}

function buildResult(
  { respondents, traits, choices, parameters }: BankCalibration,
  left_out: Exclusions,
): Omit<CalibrationResult, 'version' | 'is_new'> {
  return {
    provisional: respondents < respondentLimits.settled,
    respondents,
    left_out,
    traits,
    choices,
    correlations: parameters.correlations,
  };
}

type CalibrationInput = {
  readonly bank: ItemBank<string>;
  readonly answerSets: readonly (readonly Answer[])[];
  readonly left_out: Exclusions;
  readonly missing?: CalibrationResult['missing'];
};

/** @throws OperatorError */
function requireKnownAnswers(answers: string | undefined, csv: string | undefined): void {
  if (answers === undefined) return;
  if (answers !== 'public')
    throw new OperatorError(`--answers is "public", for those of volunteers, not "${answers.slice(0, 40)}"`);
  if (csv !== undefined) throw new OperatorError('--answers and --csv name two sources: leave one out');
}

function collectAnswers(
  platform: Pick<Platform, 'database'>,
  { csv, key, answers }: Readonly<Record<'csv' | 'key' | 'answers', string | undefined>>,
): Promise<CalibrationInput> {
  if (csv !== undefined) return collectCsvAnswers(csv, key);
  return answers === undefined ? collectStoredAnswers(platform) : collectOwnPublicAnswers(platform);
}

/** Collects the answers of volunteers to our own statements. */
async function collectOwnPublicAnswers(platform: Pick<Platform, 'database'>): Promise<CalibrationInput> {
  const ids = itemBank.graded.map(({ id }) => id);
  const { answerSets, left_out, missing } = await collectPublicAnswers(
    platform,
    { version: itemBank.version, item_ids: ids },
    { wanted: english, own: english },
  );
  const used = sampleEvenly(answerSets, respondentLimits.most);
  return {
    bank: itemBank,
    answerSets: used,
    left_out: { ...left_out, columns: 0 },
    missing: { ...missing, unused_respondents: answerSets.length - used.length },
  };
}

async function collectCsvAnswers(csv: string, key: string | undefined): Promise<CalibrationInput> {
  const { bank, answerSets, ignored_columns } = await readAnswersCsv(csv, key);
  return {
    bank,
    answerSets: answerSets.slice(0, respondentLimits.most),
    left_out: { careless: 0, columns: ignored_columns },
  };
}

const page_size = 200;

/** Reads the members page by page, so that no query returns a large result. */
export async function collectStoredAnswers({
  database,
}: Pick<Platform, 'database'>): Promise<CalibrationInput> {
  const answerSets: (readonly Answer[])[] = [];
  let careless = 0;
  let after = nil_uuid;
  const pages = Math.ceil((await countMeasuredMembers(database)) / page_size);
  for (let page = 0; page < pages && answerSets.length < respondentLimits.most; page++) {
    const assessments = await listCompleteAnswers(database, after, page_size);
    for (const { quality_flags, answers } of assessments) {
      if (quality_flags.length > 0) careless++;
      else answerSets.push(answers);
    }
    after = assessments.at(-1)?.member_id ?? after;
  }
  return {
    bank: itemBank,
    answerSets: answerSets.slice(0, respondentLimits.most),
    left_out: { careless, columns: 0 },
  };
}

/** Stores a calibration of our own statements as a version that is not in use, and what it found about them, unless it exists. @param actor Null for the command line. */
export async function storeCalibration(
  platform: Pick<Platform, 'database' | 'now'>,
  calibration: BankCalibration,
  { left_out, actor }: { readonly left_out: Exclusions; readonly actor: NewAuditEntry['actor'] },
): Promise<Pick<CalibrationResult, 'version' | 'is_new'>> {
  const { parameters } = calibration;
  const { provisional, respondents, traits, choices } = buildResult(calibration, left_out);
  const version = buildVersionName(parameters);
  const now = platform.now();
  const is_new = await platform.database.transaction(async (tx) => {
    const before = await findNewestCalibration(tx, itemBank.version);
    const inserted = await insertParameterVersion(tx, {
      version,
      item_bank_version: itemBank.version,
      provisional,
      base_version: null,
      parameters,
      respondents,
      report: { left_out, traits, choices },
      created_at: now,
    });
    if (!inserted) return false;
    await recordAudit(tx, { now, actor, action: 'items.calibrated', detail: { version, respondents } });
    await recordFindings(tx, ['weak', 'misfit', 'dependent', 'drifted'], {
      findings: findInCalibration(
        traits,
        before && { version: before.version, items: before.parameters.items },
      ),
      parameter_version: version,
      respondents,
      now,
    });
    return true;
  });
  return { version, is_new };
}

/** Names a version after a digest of its parameters, so that a name means the same parameters on every installation. */
function buildVersionName(parameters: BankParameters): string {
  const digest = createHash('sha256').update(JSON.stringify(parameters)).digest('hex');
  return `${itemBank.version}.${digest.slice(0, 16)}`;
}
