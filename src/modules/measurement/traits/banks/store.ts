import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { BankForm } from '../items/bank-form.ts';
import type { ParameterVersion } from '../parameters/store.ts';

/** The statements of an imported bank, which never change. */
export type StoredForm = { readonly form_version: string; readonly form: BankForm };

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

/** Finds the statements that were imported last; undefined for an unknown bank. */
export function findNewestForm(db: Reader, bank: string): Promise<StoredForm | undefined> {
  return db.find(sql<StoredForm>`
    select form_version, form from item_banks where bank = ${bank}
    order by created_at desc, form_version limit 1`);
}

/** Finds one version of the statements of a bank. */
export function findForm(db: Reader, bank: string, form_version: string): Promise<StoredForm | undefined> {
  return db.find(sql<StoredForm>`
    select form_version, form from item_banks where bank = ${bank} and form_version = ${form_version}`);
}

export type StoredVersion = Omit<ParameterVersion, 'bank' | 'base_version'>;

/** Finds a version of the parameters of a bank. */
export function findVersion(db: Reader, bank: string, version: string): Promise<StoredVersion | undefined> {
  return db.find(sql<StoredVersion>`
    select version, item_bank_version, provisional, parameters, respondents, report, created_at
    from item_parameter_versions where bank = ${bank} and version = ${version}`);
}
