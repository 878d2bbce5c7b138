import { recordAudit } from '#modules/audit';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import { resolveVersionInUse } from '../assessment/parameters-in-use.ts';
import { itemBank } from '../items/item-bank.ts';
import { findParameterVersion, insertUse, listParameterVersions, lockUses } from './store.ts';

export type VersionChange = {
  readonly in_use: string;
  readonly before: string;
  readonly provisional: boolean;
};

/**
 * Puts a version of the item parameters into use for all assessments that start from now on. The same command with the version `before`
 * reverts the change. Assessments in progress end with the parameters that they started with, and stored vectors do not change.
 *
 * @throws OperatorError for a version that does not exist.
 */
export async function useParameters(
  platform: Pick<Platform, 'database' | 'now'>,
  { version = '' }: Readonly<Record<string, string>>,
): Promise<VersionChange> {
  const now = platform.now();
  return platform.database.transaction(async (tx) => {
    const requested =
      version === itemBank.parameter_version ? itemBank : await findParameterVersion(tx, version);
    if (!requested)
      throw new OperatorError(
        `the version "${version.slice(0, 100)}" does not exist; "items versions" lists all versions`,
      );
    await lockUses(tx);
    const before = await resolveVersionInUse(tx);
    if (before !== version) {
      await insertUse(tx, version, now);
      await recordAudit(tx, {
        now,
        actor: null,
        action: 'items.put_into_use',
        detail: { version, before },
      });
    }
    return { in_use: version, before, provisional: requested.provisional };
  });
}

type VersionList = {
  readonly in_use: string;
  readonly versions: readonly {
    readonly version: string;
    readonly provisional: boolean;
    readonly respondents: number;
    readonly created_at: string | null;
  }[];
};

const versions_max = 100;

/** Lists the newest versions, with the judged parameters of the program always among them, and says which one is in use. */
export async function listVersions({ database }: Pick<Platform, 'database'>): Promise<VersionList> {
  const stored = await listParameterVersions(database, versions_max);
  return {
    in_use: await resolveVersionInUse(database),
    versions: [
      ...stored.map((each) => ({ ...each, created_at: each.created_at.toISOString() })),
      {
        version: itemBank.parameter_version,
        provisional: itemBank.provisional,
        respondents: 0,
        created_at: null,
      },
    ],
  };
}

/** One line for each version: its name, and what it is. */
export function formatVersions({ in_use, versions }: VersionList): Readonly<Record<string, string>> {
  return Object.fromEntries(
    versions.map(({ version, provisional, respondents, created_at }) => [
      version,
      [
        version === in_use ? 'in use' : 'not in use',
        provisional ? 'provisional' : 'calibrated',
        created_at === null
          ? 'part of the program'
          : `from the answers of ${respondents} respondents, created at ${created_at}`,
      ].join(', '),
    ]),
  );
}
