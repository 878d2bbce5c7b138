import { nil_uuid } from '#lib/nil-uuid.ts';
import { createHash } from 'node:crypto';
import type { ItemBank, BankParameters } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import type { Answer } from '../items/item.ts';
import { countMeasuredMembers, insertParameterVersion, listCompleteAnswers } from './store.ts';
import { readAnswersCsv } from './answers-csv.ts';
import { calibrateBank, type TraitReport } from './calibrate-bank.ts';
import { createProgressBar, type ProgressOutput } from '#lib/progress-bar.ts';
import { recordAudit } from '#modules/audit';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';

/** Below the first nobody calibrates; below the second the numbers stay provisional; more than the third are not read. */
export const respondentLimits = { fewest: 100, settled: 500, most: 20_000 } as const;

export type CalibrationResult = {
  /** The version that was kept; null for another questionnaire's items, of which nothing is kept. */
  readonly version: string | null;
  /** Whether the version is new: the same answers give the same numbers, and those are one version. */
  readonly is_new: boolean;
  readonly provisional: boolean;
  readonly respondents: number;
  readonly left_out: Exclusions;
  readonly traits: readonly TraitReport[];
  readonly correlations: BankParameters['correlations'];
};

type Exclusions = { readonly careless: number; readonly columns: number };

/**
 * Estimates the parameters of the statements from the answers of everybody measured, or of a CSV file (`csv`, with `key` for another
 * questionnaire), and keeps those of our own statements as a new immutable version. Nothing changes for anybody until that version is
 * put into use.
 *
 * Of each member the last complete assessment counts; assessments with a signal of careless answering are left out, as are members
 * whose consent is gone.
 *
 * @throws OperatorError for a file that cannot be read, or fewer than `respondentLimits.fewest` people.
 */
export async function calibrateItems(
  platform: Pick<Platform, 'database' | 'now'>,
  { csv, key }: Readonly<Record<string, string>>,
  output: ProgressOutput = process.stderr,
): Promise<CalibrationResult> {
  if (key !== undefined && csv === undefined)
    throw new OperatorError('--key tells how to read a --csv file, and there is none');
  const { bank, people, left_out } =
    csv === undefined ? await collectStoredAnswers(platform) : await collectCsvAnswers(csv, key);
  if (people.length < respondentLimits.fewest)
    throw new OperatorError(
      `${people.length} people have answered; a calibration needs at least ${respondentLimits.fewest}`,
    );
  const bar = createProgressBar('calibrating', output);
  const { traits, parameters, respondents } = calibrateBank(bank, people, (share) =>
    bar(Math.floor(share * 1000), 1000),
  );
  const found = {
    provisional: respondents < respondentLimits.settled,
    respondents,
    left_out,
    traits,
    correlations: parameters.correlations,
  };
  if (bank.version !== itemBank.version) return { version: null, is_new: false, ...found };
  return { ...(await storeVersion(platform, parameters, found)), ...found };
}

type CalibrationInput = {
  readonly bank: ItemBank<string>;
  readonly people: readonly (readonly Answer[])[];
  readonly left_out: Exclusions;
};

async function collectCsvAnswers(csv: string, key: string | undefined): Promise<CalibrationInput> {
  const { bank, people, columns_passed_over } = await readAnswersCsv(csv, key);
  return {
    bank,
    people: people.slice(0, respondentLimits.most),
    left_out: { careless: 0, columns: columns_passed_over },
  };
}

const page_size = 200;

/** Pages of members, so that a large database is read in small pieces. */
async function collectStoredAnswers({ database }: Pick<Platform, 'database'>): Promise<CalibrationInput> {
  const people: (readonly Answer[])[] = [];
  let careless = 0;
  let after = nil_uuid;
  const pages = Math.ceil((await countMeasuredMembers(database)) / page_size);
  for (let page = 0; page < pages && people.length < respondentLimits.most; page++) {
    const found = await listCompleteAnswers(database, after, page_size);
    for (const { quality_flags, answers } of found) {
      if (quality_flags.length > 0) careless++;
      else people.push(answers);
    }
    after = found.at(-1)?.member_id ?? after;
  }
  return {
    bank: itemBank,
    people: people.slice(0, respondentLimits.most),
    left_out: { careless, columns: 0 },
  };
}

async function storeVersion(
  platform: Pick<Platform, 'database' | 'now'>,
  parameters: BankParameters,
  { provisional, respondents, left_out, traits }: Omit<CalibrationResult, 'version' | 'is_new'>,
): Promise<Pick<CalibrationResult, 'version' | 'is_new'>> {
  const version = buildVersionName(parameters);
  const now = platform.now();
  const is_new = await platform.database.transaction(async (tx) => {
    const inserted = await insertParameterVersion(tx, {
      version,
      item_bank_version: itemBank.version,
      provisional,
      parameters,
      respondents,
      report: { left_out, traits },
      created_at: now,
    });
    if (inserted)
      await recordAudit(tx, {
        now,
        actor_user_id: null,
        action: 'items.calibrated',
        detail: { version, respondents },
      });
    return inserted;
  });
  return { version, is_new };
}

/** Named after a digest of the numbers: one name never means two sets of them, on any installation. */
function buildVersionName(parameters: BankParameters): string {
  const digest = createHash('sha256').update(JSON.stringify(parameters)).digest('hex');
  return `${itemBank.version}.${digest.slice(0, 16)}`;
}
