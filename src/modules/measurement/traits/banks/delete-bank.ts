import { recordAudit } from '#modules/operations/audit';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import { resolveVersionInUse } from '../parameters/parameters-in-use.ts';
import { lockUses, ownBank } from '../parameters/store.ts';
import { requireForm } from './bank-version.ts';
import { deleteForms, deleteVersions, listVersionsOfBank, type VersionOfBank } from './store.ts';

/**
 * Deletes a version of an imported bank, or the bank with its statements and all its versions.
 *
 * @throws OperatorError for our own bank, a bank or a version that does not exist, and a version that is or was in use, because results name it. Nothing is
 * deleted then.
 */
export async function deleteBank(
  platform: Pick<Platform, 'database' | 'now'>,
  { bank = '', version }: Readonly<Record<string, string>>,
): Promise<{ readonly bank: string; readonly versions: number; readonly statements: boolean }> {
  if (bank === ownBank) throw new OperatorError(`the bank "${ownBank}" is part of the program`);
  await requireForm(platform, bank);
  const now = platform.now();
  return platform.database.transaction(async (tx) => {
    await lockUses(tx);
    const found = await listVersionsOfBank(tx, bank);
    const deleting = version === undefined ? found : found.filter((each) => each.version === version);
    if (version !== undefined && deleting.length === 0)
      throw new OperatorError(`the bank "${bank}" has no version "${version.slice(0, 100)}"`);
    requireUnused(deleting, await resolveVersionInUse(tx));
    await deleteVersions(
      tx,
      deleting.map((each) => each.version),
    );
    if (version === undefined) await deleteForms(tx, bank);
    const detail = { bank, version: version ?? null };
    await recordAudit(tx, { now, actor: null, action: 'items.deleted', detail });
    return { bank, versions: deleting.length, statements: version === undefined };
  });
}

function requireUnused(versions: readonly VersionOfBank[], in_use: string): void {
  for (const { version, was_used, is_base } of versions) {
    if (version === in_use)
      throw new OperatorError(`the version "${version}" is in use; use another one before it is deleted`);
    if (was_used) throw new OperatorError(`the version "${version}" was in use, and results name it`);
    if (is_base && versions.length === 1)
      throw new OperatorError(`the version "${version}" has versions with decisions; delete these first`);
  }
}
