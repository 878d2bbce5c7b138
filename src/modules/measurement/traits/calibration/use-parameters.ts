import { recordAudit, type NewAuditEntry } from '#modules/operations/audit';
import { OperatorError } from '#platform/command-line.ts';
import type { Reader, Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { resolveVersionInUse } from '../parameters/parameters-in-use.ts';
import { applyDecisions } from '../parameters/apply-decisions.ts';
import { builtInBanks } from '../items/item-bank.ts';
import { ensureListedVersion, rescoreAnswers } from '../rescoring/rescore-answers.ts';
import { findListedVersion, findNewestRescoring } from '../rescoring/store.ts';
import { insertUse, listParameterVersions, lockUses } from '../parameters/store.ts';

export type VersionChange = {
  readonly in_use: string;
  readonly before: string;
  readonly provisional: boolean;
};

/**
 * Puts a version of the item parameters into use for all assessments that start from now on, and queues a task that scores all stored
 * answers with it and then switches all lists to the new vectors. The same command with the version `before` reverts the change. The
 * decisions about statements that stand are applied to the version, so that what is in use has the name that {@link applyDecisions} gives.
 * Assessments in progress end with the parameters that they started with, and existing vectors do not change.
 *
 * @throws OperatorError for a version that does not exist.
 */
export async function useParameters(
  platform: Pick<Platform, 'database' | 'now' | 'queue'>,
  { version = '' }: Readonly<Record<string, string>>,
): Promise<VersionChange> {
  const change = await platform.database.transaction((tx) =>
    putIntoUse(platform, tx, { version, actor: null }),
  );
  if (!change)
    throw new OperatorError(
      `the version "${version.slice(0, 100)}" does not exist; "items versions" lists all versions`,
    );
  return change;
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
    readonly version: string;
    readonly provisional: boolean;
    /** The version that decisions about statements were applied to; null if there are none in it. */
    readonly base_version: string | null;
    readonly respondents: number;
    readonly created_at: string | null;
  }[];
};

const versions_max = 100;

/** Lists the newest calibrations, the versions that are part of the program, and those with decisions that are in use or in lists. */
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
    versions.map(({ version, provisional, base_version, respondents, created_at }) => [
      version,
      [
        version === in_use ? 'in use' : 'not in use',
        provisional ? 'provisional' : 'calibrated',
        ...(base_version === null ? [] : [`${base_version} with decisions about statements`]),
        created_at === null
          ? 'part of the program'
          : `from the answers of ${respondents} respondents, created at ${created_at}`,
        ...(version === listed ? ['all lists use its vectors'] : []),
        ...(version === rescoring?.version
          ? [`scoring stored answers: ${rescoring.done} of ${rescoring.total} members`]
          : []),
      ].join(', '),
    ]),
  );
}
