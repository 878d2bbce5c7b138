import { recordAudit } from '#modules/operations/audit';
import type { Platform } from '#platform/platform.ts';
import type { BankParameters } from '../items/bank.ts';
import { insertParameterVersion } from '../parameters/store.ts';
import { buildParameterVersion, type BankVersion } from './bank-version.ts';

/** Parameters that a command has made from those of another version, and what the audit log says of it. */
type Derived = {
  readonly parameters: BankParameters;
  /** What the version reports beside its norms. */
  readonly report: Readonly<Record<string, unknown>>;
  readonly action: 'items.linked' | 'items.language_added';
  readonly detail: Readonly<Record<string, string>>;
};

/** Stores a version of a bank that was made from another one. The same parameters have the same name, and are stored once. */
export async function storeDerivedVersion(
  platform: Pick<Platform, 'database' | 'now'>,
  { bank, items, respondents, norms }: BankVersion,
  { parameters, report, action, detail }: Derived,
): Promise<{ readonly version: string; readonly is_new: boolean }> {
  const version = buildParameterVersion(items.version, parameters);
  const now = platform.now();
  const is_new = await platform.database.transaction(async (tx) => {
    const isNew = await insertParameterVersion(tx, {
      bank,
      version,
      item_bank_version: items.version,
      provisional: items.provisional,
      base_version: null,
      parameters,
      respondents,
      report: { norms, ...report },
      created_at: now,
    });
    const facts = { bank, version, ...detail };
    if (isNew) await recordAudit(tx, { now, actor: null, action, detail: facts });
    return isNew;
  });
  return { version, is_new };
}
