import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { BankParameters } from '../items/bank.ts';
import type { StoredForm } from '../items/build-bank.ts';

/** The name of our own bank, whose statements are part of the program. */
export const ownBank = 'tessera';

/** One immutable version of the item parameters, with the report of its calibration. */
export type ParameterVersion = {
  /** The bank; our own if it is not given. */
  readonly bank?: string;
  readonly version: string;
  readonly item_bank_version: string;
  readonly provisional: boolean;
  /** The version that decisions were applied to; null for a calibration. */
  readonly base_version: string | null;
  readonly parameters: BankParameters;
  readonly respondents: number;
  readonly report: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
};

/** Inserts a version, unless it exists already. @returns whether it is new. */
export async function insertParameterVersion(tx: Transaction, inserting: ParameterVersion): Promise<boolean> {
  const { bank = ownBank, version, item_bank_version, provisional, base_version, parameters } = inserting;
  const { respondents, report, created_at } = inserting;
  const inserted = await tx.list(sql`
    insert into item_parameter_versions
      (bank, version, item_bank_version, provisional, base_version, parameters, respondents, report, created_at)
    values (${bank}, ${version}, ${item_bank_version}, ${provisional}, ${base_version}, ${JSON.stringify(parameters)}::jsonb, ${respondents},
      ${JSON.stringify(report)}::jsonb, ${created_at})
    on conflict (version) do nothing returning version`);
  return inserted.length > 0;
}

/** What a measurement needs of a stored version. */
export type StoredParameters = Omit<ParameterVersion, 'bank' | 'version' | 'report' | 'created_at'> & {
  readonly bank: string;
};

/** Finds the parameters of a version of any bank. */
export function findParameterVersion(db: Reader, version: string): Promise<StoredParameters | undefined> {
  return db.find(sql<StoredParameters>`
    select bank, item_bank_version, provisional, base_version, parameters, respondents from item_parameter_versions
    where version = ${version}`);
}

/** Finds one version of the statements of a bank. */
export function findForm(db: Reader, bank: string, form_version: string): Promise<StoredForm | undefined> {
  return db.find(sql<StoredForm>`
    select form_version, form from item_banks where bank = ${bank} and form_version = ${form_version}`);
}

/** Finds the statements of a bank that were imported last, or of our own those that an installation has added to; undefined if there are none. */
export function findNewestForm(db: Reader, bank: string): Promise<StoredForm | undefined> {
  return db.find(sql<StoredForm>`
    select form_version, form from item_banks where bank = ${bank}
    order by created_at desc, form_version limit 1`);
}

/** Finds the newest calibration of our own bank, with or without statements of the installation: an id has one meaning in all of them. */
export function findNewestCalibration(
  db: Reader,
): Promise<Pick<ParameterVersion, 'version' | 'parameters'> | undefined> {
  return db.find(sql<Pick<ParameterVersion, 'version' | 'parameters'>>`
    select version, parameters from item_parameter_versions
    where bank = ${ownBank} and base_version is null and report ? 'traits' order by created_at desc, version limit 1`);
}

type ListedVersion = Pick<
  Required<ParameterVersion>,
  'bank' | 'version' | 'provisional' | 'base_version' | 'respondents' | 'created_at'
>;

/** Lists the newest calibrations of our own bank, and these versions, without their parameters. */
export function listParameterVersions(
  db: Reader,
  in_use: readonly string[],
  limit: number,
): Promise<ListedVersion[]> {
  return db.list(sql<ListedVersion>`
    select bank, version, provisional, base_version, respondents, created_at from item_parameter_versions
    where (bank = ${ownBank} and base_version is null) or version = any(${in_use}::text[])
    order by created_at desc, version limit ${limit}`);
}

/** Finds the version that was put into use last; undefined if none ever was. */
export async function findVersionInUse(db: Reader): Promise<string | undefined> {
  const last = await db.find(sql<{ version: string }>`
    select version from item_parameter_uses order by position desc limit 1`);
  return last?.version;
}

/** Puts a version into use from `now` on. The caller must hold the lock of `lockUses`. */
export async function insertUse(tx: Transaction, version: string, now: Date): Promise<void> {
  await tx.run(sql`insert into item_parameter_uses (version, used_from) values (${version}, ${now})`);
}

/** Makes concurrent changes wait for the end of this transaction, so that each of them sees the version before it. */
export async function lockUses(tx: Transaction): Promise<void> {
  await tx.run(sql`lock table item_parameter_uses in share row exclusive mode`);
}

/** Makes assessments that are completed wait with their measurement for the end of this transaction, so that no newer answers appear. */
export async function lockMeasurements(tx: Transaction): Promise<void> {
  await tx.run(sql`lock table item_parameter_uses in share mode`);
}

/** Makes changes of the version in use, and {@link lockMeasurements}, wait for the end of this transaction. Others may hold this lock, too. */
export async function lockUsesShared(tx: Transaction): Promise<void> {
  await tx.run(sql`lock table item_parameter_uses in row exclusive mode`);
}

/** Whether an assessment asked our own statements. Versions without a row are part of the program. */
const isOfOwnBank = sql`
  not exists (
    select from item_parameter_versions as others
    where others.version = assessments.parameter_version and others.bank <> ${ownBank})`;

/** A member's answers to a complete assessment. */
export type CompleteAnswers = {
  readonly member_id: string;
  /** In which the items were read; null, of assessments from before languages, is that of the parameters. */
  readonly language: string | null;
  readonly quality_flags: readonly string[];
  readonly answers: readonly { readonly item_id: string; readonly option: number }[];
};

/**
 * Lists a page of the members who consent to assessment_data, each with the last complete assessment of our own statements, or of these versions of
 * statements: at most `limit` members whose ids follow `after`, in the order of the ids.
 */
export function listCompleteAnswers(
  db: Reader,
  after: string,
  limit: number,
  item_bank_versions: readonly string[] | null = null,
): Promise<CompleteAnswers[]> {
  return db.list(sql<CompleteAnswers>`
    with last as (
      select distinct on (member_id) member_id, language, quality_flags, item_ids, options from assessments
      where completed_at is not null and member_id > ${after}::uuid
        and case when ${item_bank_versions}::text[] is null then ${isOfOwnBank} else item_bank_version = any(${item_bank_versions}::text[]) end
        and exists (
          select from granted_consents
          where granted_consents.member_id = assessments.member_id and consent_type = 'assessment_data')
      order by member_id, completed_at desc limit ${limit})
    select last.member_id, last.language, last.quality_flags,
      (select coalesce(json_agg(json_build_object('item_id', item_id, 'option', option) order by place), '[]')
       from unnest(item_ids, options) with ordinality as given (item_id, option, place)) as answers
    from last order by member_id`);
}

/** Counts the members whose answers a calibration can use, at most `limit`: they consent, read the items in this language, and nothing says that they answered carelessly. */
export function countRespondents(db: Reader, language: string, limit: number): Promise<number> {
  return db.count(sql<{ count: number }>`
    select count(*) from (
      select member_id from (
        select distinct on (member_id) member_id, language, quality_flags from assessments
        where completed_at is not null and ${isOfOwnBank} and exists (
          select from granted_consents
          where granted_consents.member_id = assessments.member_id and consent_type = 'assessment_data')
        order by member_id, completed_at desc) as last
      where quality_flags = '{}' and (language is null or language = ${language}) limit ${limit}) as usable`);
}

/** Counts the members who have completed an assessment, whether or not they still consent. */
export function countMeasuredMembers(db: Reader): Promise<number> {
  return db.count(sql<{ count: number }>`
    select count(distinct member_id) from assessments where completed_at is not null`);
}
