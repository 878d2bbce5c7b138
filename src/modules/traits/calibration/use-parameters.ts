import { itemBank } from '../items/item-bank.ts';
import { resolveVersionInUse } from '../assessment/parameters-in-use.ts';
import { findParameterVersion, insertUse, listParameterVersions, lockUses } from './store.ts';
import { recordAudit } from '#modules/audit';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';

export type VersionChange = {
  readonly in_use: string;
  readonly before: string;
  readonly provisional: boolean;
};

/**
 * Puts a version of the item parameters into use for every assessment that begins from now on; the same command with the version `before`
 * goes back. Assessments in progress end with the parameters that they began with, and no measured vector changes.
 *
 * @throws OperatorError for a version that was never kept.
 */
export async function useParameters(
  platform: Pick<Platform, 'database' | 'now'>,
  { version = '' }: Readonly<Record<string, string>>,
): Promise<VersionChange> {
  const now = platform.now();
  return platform.database.transaction(async (tx) => {
    const found = version === itemBank.parameter_version ? itemBank : await findParameterVersion(tx, version);
    if (!found)
      throw new OperatorError(`there is no version "${version.slice(0, 100)}"; "items versions" lists them`);
    await lockUses(tx);
    const before = await resolveVersionInUse(tx);
    if (before !== version) {
      await insertUse(tx, version, now);
      await recordAudit(tx, {
        now,
        actor_user_id: null,
        action: 'items.put_into_use',
        detail: { version, before },
      });
    }
    return { in_use: version, before, provisional: found.provisional };
  });
}

const versions_max = 100;

/** The newest versions and which of them is in use; the judged parameters of the program are always among them. */
export async function listVersions({ database }: Pick<Platform, 'database'>): Promise<{
  readonly in_use: string;
  readonly versions: readonly Readonly<Record<string, unknown>>[];
}> {
  const kept = await listParameterVersions(database, versions_max);
  return {
    in_use: await resolveVersionInUse(database),
    versions: [
      ...kept.map((each) => ({ ...each, created_at: each.created_at.toISOString() })),
      {
        version: itemBank.parameter_version,
        provisional: itemBank.provisional,
        respondents: 0,
        created_at: null,
      },
    ],
  };
}
