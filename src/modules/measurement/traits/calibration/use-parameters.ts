import { recordAudit, type NewAuditEntry } from '#modules/operations/audit';
import { OperatorError } from '#platform/command-line.ts';
import type { Reader, Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { buildParameterVersion, loadBankVersion, type ReadingServices } from '../banks/bank-version.ts';
import { readOwnMap, readTraitMap } from '../banks/read-trait-map.ts';
import { listParameters, type ItemBank } from '../items/bank.ts';
import { english } from '../items/languages.ts';
import { mapToTraits } from '../items/map-bank.ts';
import { resolveVersionInUse } from '../parameters/parameters-in-use.ts';
import { applyDecisions } from '../parameters/apply-decisions.ts';
import { builtInBanks } from '../items/item-bank.ts';
import { ensureListedVersion, rescoreAnswers } from '../rescoring/rescore-answers.ts';
import { findListedVersion, findNewestRescoring } from '../rescoring/store.ts';
import {
  findParameterVersion,
  insertParameterVersion,
  insertUse,
  listParameterVersions,
  lockUses,
  type ParameterVersion,
  ownBank,
} from '../parameters/store.ts';

export type VersionChange = {
  readonly in_use: string;
  readonly before: string;
  readonly provisional: boolean;
};

/**
 * Puts a version of a bank into use for all assessments that start from now on, and queues a task that scores the stored answers to this bank with it and
 * then switches all lists to the new vectors. The same command with the bank and the version of before reverts the change. The decisions about statements
 * that stand are applied to the version, so that what is in use has the name that {@link applyDecisions} gives. Assessments in progress end with the
 * parameters that they started with, and existing vectors do not change: results from another bank stay as they are.
 *
 * An imported bank needs a map of its scales onto our traits: the file `map`, or the column `trait` of its statements. The version with this map is another
 * one, which is stored.
 *
 * @throws OperatorError for a bank or a version that does not exist, or a map that cannot be used. Nothing changes then.
 */
export function useParameters(
  platform: Pick<Platform, 'database' | 'now' | 'queue' | 'memory'>,
  input: Readonly<Record<string, string>>,
): Promise<VersionChange> {
  const { database } = platform;
  return useVersion({ ...platform, transaction: (run) => database.transaction(run) }, input, null);
}

type Using = ReadingServices &
  Pick<Platform, 'now' | 'queue'> & {
    readonly transaction: (
      run: (tx: Transaction) => Promise<VersionChange | undefined>,
    ) => Promise<VersionChange | undefined>;
  };

/** Does what {@link useParameters} says for somebody. @throws OperatorError as it does. */
export async function useVersion(
  services: Using,
  { bank = '', version = '', map: file }: Readonly<Record<string, string>>,
  actor: NewAuditEntry['actor'],
): Promise<VersionChange> {
  if (bank === ownBank && file !== undefined)
    throw new OperatorError(`--map is for imported banks; the scales of "${ownBank}" are the traits`);
  const mapped = bank === ownBank ? undefined : await prepareMappedVersion(services, { bank, version, file });
  const change = await services.transaction(async (tx) => {
    if (mapped) await insertParameterVersion(tx, mapped);
    const used = mapped?.version ?? version;
    const stored = await findParameterVersion(tx, used);
    if (stored && stored.bank !== bank) return undefined;
    return putIntoUse(services, tx, { version: used, actor });
  });
  if (!change)
    throw new OperatorError(
      `the version "${version.slice(0, 100)}" does not exist; "items versions" lists all versions`,
    );
  return change;
}

type Named = { readonly bank: string; readonly version: string; readonly file: string | undefined };

/** Builds the version of an imported bank that has a map. One that has a map already stays as it is, unless there is another map. */
async function prepareMappedVersion(
  platform: ReadingServices & Pick<Platform, 'now'>,
  named: Named,
): Promise<ParameterVersion> {
  const { bank, version, file } = named;
  const { form, items, respondents, norms } = await loadBankVersion(platform, { bank, version });
  const { name: _, decisions: __, ...undecided } = items;
  const map =
    file === undefined ? (items.map ?? readOwnMap(bank, form.scales)) : await readTraitMap(file, form.scales);
  requireReadable(bank, mapToTraits(items, map));
  const parameters = listParameters({ ...undecided, map });
  return {
    bank,
    version: buildParameterVersion(items.version, parameters),
    item_bank_version: items.version,
    provisional: items.provisional,
    base_version: null,
    parameters,
    respondents,
    report: { norms, mapped_from: version },
    created_at: platform.now(),
  };
}

/** @throws OperatorError for a statement that would be asked, and has no text or no words for its options in the language of the bank. */
function requireReadable(bank: string, { graded, language = english }: ItemBank): void {
  const lacking = graded.find(({ translations = {} }) => translations[language] === undefined);
  if (lacking)
    throw new OperatorError(
      `the statement ${lacking.id} of "${bank}" cannot be asked in ${language}: import it with text:${language}${language === english ? '' : ` and options:${language}`}`,
    );
}

/** Puts a version into use as {@link useParameters} does, and records who did. @returns undefined if the version does not exist. */
export async function putIntoUse(
  services: Pick<Platform, 'now' | 'queue'>,
  tx: Transaction,
  { version: named, actor }: { readonly version: string; readonly actor: NewAuditEntry['actor'] },
): Promise<VersionChange | undefined> {
  const now = services.now();
  await lockUses(tx);
  const applied = await applyDecisions(tx, named, now);
  if (!applied) return undefined;
  const { version, provisional } = applied;
  const before = await resolveVersionInUse(tx);
  if (before !== version) {
    await ensureListedVersion(services, tx, before);
    await insertUse(tx, version, now);
    await services.queue.send(tx, rescoreAnswers, {});
    await recordAudit(tx, { now, actor, action: 'items.put_into_use', detail: { version, before } });
  }
  return { in_use: version, before, provisional };
}

type VersionList = {
  readonly in_use: string;
  /** The version whose vectors all lists use. */
  readonly listed: string;
  /** How far scoring the stored answers with the version in use has come; null if it is not running. */
  readonly rescoring: { readonly version: string; readonly done: number; readonly total: number } | null;
  readonly versions: readonly {
    readonly bank: string;
    readonly version: string;
    readonly provisional: boolean;
    /** The version that decisions about statements were applied to; null if there are none in it. */
    readonly base_version: string | null;
    readonly respondents: number;
    readonly created_at: string | null;
  }[];
};

const versions_max = 100;

/** Lists the newest calibrations of our own bank, the versions that are part of the program, and those that are in use or in lists. */
export async function listVersions({ database }: { readonly database: Reader }): Promise<VersionList> {
  const in_use = await resolveVersionInUse(database);
  const listed = (await findListedVersion(database)) ?? in_use;
  const stored = await listParameterVersions(database, [in_use, listed], versions_max);
  return {
    in_use,
    listed,
    rescoring: await findProgress(database),
    versions: [
      ...stored.map((each) => ({ ...each, created_at: each.created_at.toISOString() })),
      ...[...builtInBanks.values()].map(({ parameter_version, provisional }) => ({
        bank: ownBank,
        version: parameter_version,
        provisional,
        base_version: null,
        respondents: 0,
        created_at: null,
      })),
    ],
  };
}

async function findProgress(db: Reader): Promise<VersionList['rescoring']> {
  const newest = await findNewestRescoring(db);
  if (!newest || newest.ended_at) return null;
  const { parameter_version, done, total } = newest;
  return { version: parameter_version, done, total };
}

/** One line for each version: its name, and what it is. */
export function formatVersions({
  in_use,
  listed,
  rescoring,
  versions,
}: VersionList): Readonly<Record<string, string>> {
  return Object.fromEntries(
    versions.map(({ bank, version, provisional, base_version, respondents, created_at }) => [
      version,
      [
        version === in_use ? 'in use' : 'not in use',
        ...(bank === ownBank ? [] : [`of the bank ${bank}`]),
        provisional ? 'provisional' : 'calibrated',
        ...(base_version === null ? [] : [`${base_version} with decisions about statements`]),
        created_at === null
          ? 'part of the program'
          : `${respondents === 0 ? 'not from answers' : `from the answers of ${respondents} respondents`}, created at ${created_at}`,
        ...(version === listed ? ['all lists use its vectors'] : []),
        ...(version === rescoring?.version
          ? [`scoring stored answers: ${rescoring.done} of ${rescoring.total} members`]
          : []),
      ].join(', '),
    ]),
  );
}
