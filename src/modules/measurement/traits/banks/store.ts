import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { StoredForm } from '../items/build-bank.ts';
import type { ParameterVersion } from '../parameters/store.ts';

/** Inserts the statements of a bank, unless they exist already. @returns whether they are new. */
export async function insertForm(
  tx: Transaction,
  { bank, form_version, form, now }: StoredForm & { readonly bank: string; readonly now: Date },
): Promise<boolean> {
  const inserted = await tx.list(sql`
    insert into item_banks (bank, form_version, form, created_at)
    values (${bank}, ${form_version}, ${JSON.stringify(form)}::jsonb, ${now})
    on conflict (bank, form_version) do nothing returning bank`);
  return inserted.length > 0;
}

/** Lists the newest versions of the statements of a bank. */
export function listForms(db: Reader, bank: string, limit: number): Promise<StoredForm[]> {
  return db.list(sql<StoredForm>`
    select form_version, form from item_banks where bank = ${bank} order by created_at desc, form_version limit ${limit}`);
}

/** Lists the names of the newest versions of the statements of a bank. */
export async function listFormVersions(db: Reader, bank: string, limit: number): Promise<string[]> {
  const listed = await db.list(sql<{ form_version: string }>`
    select form_version from item_banks where bank = ${bank} order by created_at desc, form_version limit ${limit}`);
  return listed.map(({ form_version }) => form_version);
}

export type StoredVersion = Omit<ParameterVersion, 'bank' | 'base_version'>;

/** Finds a version of the parameters of a bank. */
export function findVersion(db: Reader, bank: string, version: string): Promise<StoredVersion | undefined> {
  return db.find(sql<StoredVersion>`
    select version, item_bank_version, provisional, parameters, respondents, report, created_at
    from item_parameter_versions where bank = ${bank} and version = ${version}`);
}

export type ListedBank = {
  readonly bank: string;
  readonly version: string | null;
  readonly provisional: boolean | null;
  readonly respondents: number | null;
  readonly created_at: Date;
};

/** Lists all banks with their versions, the newest first. A bank without any has one row without a version. */
export function listBanksWithVersions(db: Reader, limit: number): Promise<ListedBank[]> {
  return db.list(sql<ListedBank>`
    select bank, version, provisional, respondents, created_at from item_parameter_versions
    union all
    select bank, null, null, null, max(created_at) from item_banks
    where not exists (select from item_parameter_versions where item_parameter_versions.bank = item_banks.bank)
    group by bank
    order by created_at desc, version limit ${limit}`);
}

export type VersionOfBank = {
  readonly version: string;
  /** Whether it is or was in use, so that results can name it. */
  readonly was_used: boolean;
  /** Whether decisions were applied to it. */
  readonly is_base: boolean;
};

/** Lists all versions of a bank. */
export function listVersionsOfBank(db: Reader, bank: string): Promise<VersionOfBank[]> {
  return db.list(sql<VersionOfBank>`
    select version, exists (select from item_parameter_uses as uses where uses.version = versions.version) as was_used,
      exists (select from item_parameter_versions as decided where decided.base_version = versions.version) as is_base
    from item_parameter_versions as versions where bank = ${bank} order by version`);
}

/** Deletes versions, those with decisions before their bases. The database refuses one that is or was in use. */
export async function deleteVersions(tx: Transaction, versions: readonly string[]): Promise<void> {
  await tx.run(sql`
    delete from item_parameter_versions where version = any(${versions}::text[]) and base_version is not null`);
  await tx.run(sql`delete from item_parameter_versions where version = any(${versions}::text[])`);
}

/** Deletes the statements of a bank without versions. */
export async function deleteForms(tx: Transaction, bank: string): Promise<void> {
  await tx.run(sql`delete from item_banks where bank = ${bank}`);
}
