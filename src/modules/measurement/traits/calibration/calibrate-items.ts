import { createHash } from 'node:crypto';
import { createProgressBar, type ProgressOutput } from '#lib/progress-bar.ts';
import { recordAudit, type NewAuditEntry } from '#modules/operations/audit';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import type { BankParameters, ItemBank } from '../items/bank.ts';
import { listCompatibleForms } from '../banks/compatible-forms.ts';
import { english } from '../items/languages.ts';
import { readOwnForm } from '../items/tessera-form.ts';
import type { Answer } from '../items/item.ts';
import { calibrateImportedBank } from './calibrate-imported-bank.ts';
import { readAnswersCsv } from './answers-csv.ts';
import { calibrateBank, type BankCalibration } from './calibrate-bank.ts';
import type { CalibrationResult, Exclusions } from './calibration-result.ts';
import { findInCalibration } from './find-in-calibration.ts';
import { listMemberAnswers } from './list-member-answers.ts';
import { requireRespondents, respondentLimits } from './respondents.ts';
import { collectPublicAnswers } from '../volunteers/collect-public-answers.ts';
import { sampleEvenly } from './trait-correlations.ts';
import { loadOwnBank } from '../parameters/parameters-in-use.ts';
import { recordFindings } from '../parameters/record-findings.ts';
import { findNewestCalibration, insertParameterVersion, ownBank } from '../parameters/store.ts';

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
  const own = await loadOwnBank(platform.database);
  const source = { csv, key, answers };
  const { bank, answerSets, left_out, missing } = await collectAnswers(platform, own, source);
  requireRespondents(answerSets.length);
  const drawProgress = createProgressBar('calibrating', output);
  const calibration = calibrateBank(bank, answerSets, (share) =>
    drawProgress(Math.floor(share * 1000), 1000),
  );
  const result = { ...buildResult(calibration, left_out), ...(missing && { missing }) };
  if (key !== undefined) return { version: null, is_new: false, ...result };
  return { ...(await storeCalibration(platform, calibration, { bank, left_out, actor: null })), ...result };
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

async function collectAnswers(
  platform: Pick<Platform, 'database'>,
  own: ItemBank,
  { csv, key, answers }: Readonly<Record<'csv' | 'key' | 'answers', string | undefined>>,
): Promise<CalibrationInput> {
  if (csv !== undefined) return collectCsvAnswers(own, csv, key);
  if (answers !== undefined) return collectOwnPublicAnswers(platform, own);
  return { bank: own, ...(await collectStoredAnswers(platform)) };
}

/** Collects the answers of volunteers to our own statements. */
async function collectOwnPublicAnswers(
  { database }: Pick<Platform, 'database'>,
  own: ItemBank,
): Promise<CalibrationInput> {
  const versions = await listCompatibleForms(database, ownBank, readOwnForm());
  const { answerSets, left_out, missing } = await collectPublicAnswers(
    { database },
    { versions, item_ids: own.graded.map(({ id }) => id) },
    { wanted: english, own: english },
  );
  const used = sampleEvenly(answerSets, respondentLimits.most);
  return {
    bank: own,
    answerSets: used,
    left_out: { ...left_out, columns: 0 },
    missing: { ...missing, unused_respondents: answerSets.length - used.length },
  };
}

async function collectCsvAnswers(
  own: ItemBank,
  csv: string,
  key: string | undefined,
): Promise<CalibrationInput> {
  const { bank, answerSets, ignored_columns } = await readAnswersCsv(csv, key, own);
  return {
    bank,
    answerSets: answerSets.slice(0, respondentLimits.most),
    left_out: { careless: 0, columns: ignored_columns },
  };
}

/** Collects the last answers of members to our own bank in the language of its parameters. */
export async function collectStoredAnswers({
  database,
}: Pick<Platform, 'database'>): Promise<Omit<CalibrationInput, 'bank'>> {
  const answerSets: (readonly Answer[])[] = [];
  let [careless, languages] = [0, 0];
  for await (const { language, quality_flags, answers } of listMemberAnswers(database)) {
    if ((language ?? english) !== english) languages++;
    else if (quality_flags.length > 0) careless++;
    else answerSets.push(answers);
    if (answerSets.length === respondentLimits.most) break;
  }
  return {
    answerSets,
    left_out: { careless, columns: 0, ...(languages > 0 && { languages }) },
  };
}

/** Stores a calibration of our own statements as a version that is not in use, and what it found about them, unless it exists. @param actor Null for the command line. */
export async function storeCalibration(
  platform: Pick<Platform, 'database' | 'now'>,
  calibration: BankCalibration,
  {
    bank,
    left_out,
    actor,
  }: {
    readonly bank: Pick<ItemBank<string>, 'version'>;
    readonly left_out: Exclusions;
    readonly actor: NewAuditEntry['actor'];
  },
): Promise<Pick<CalibrationResult, 'version' | 'is_new'>> {
  const { parameters } = calibration;
  const { provisional, respondents, traits, choices } = buildResult(calibration, left_out);
  const version = buildVersionName(bank.version, parameters);
  const now = platform.now();
  const is_new = await platform.database.transaction(async (tx) => {
    const before = await findNewestCalibration(tx);
    const inserted = await insertParameterVersion(tx, {
      version,
      item_bank_version: bank.version,
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
function buildVersionName(form_version: string, parameters: BankParameters): string {
  const digest = createHash('sha256').update(JSON.stringify(parameters)).digest('hex');
  return `${form_version}.${digest.slice(0, 16)}`;
}
