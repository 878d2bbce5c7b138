import type { BankParameters } from '../items/bank.ts';
import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

/** One immutable version of the item parameters, with what its calibration said about it. */
export type ParameterVersion = {
  readonly version: string;
  readonly item_bank_version: string;
  readonly provisional: boolean;
  readonly parameters: BankParameters;
  readonly respondents: number;
  readonly report: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
};

/** Keeps a version; the same numbers kept before stand as they are. @returns whether it is new. */
export async function insertParameterVersion(tx: Transaction, kept: ParameterVersion): Promise<boolean> {
  const { version, item_bank_version, provisional, parameters, respondents, report, created_at } = kept;
  const inserted = await tx.list(sql`
    insert into item_parameter_versions
      (version, item_bank_version, provisional, parameters, respondents, report, created_at)
    values (${version}, ${item_bank_version}, ${provisional}, ${JSON.stringify(parameters)}::jsonb, ${respondents},
      ${JSON.stringify(report)}::jsonb, ${created_at})
    on conflict (version) do nothing returning version`);
  return inserted.length > 0;
}

export function findParameterVersion(
  db: Reader,
  version: string,
): Promise<Pick<ParameterVersion, 'provisional' | 'parameters'> | undefined> {
  return db.find(sql<ParameterVersion>`
    select provisional, parameters from item_parameter_versions where version = ${version}`);
}

/** The newest versions, without their numbers. */
export function listParameterVersions(
  db: Reader,
  limit: number,
): Promise<Pick<ParameterVersion, 'version' | 'provisional' | 'respondents' | 'created_at'>[]> {
  return db.list(sql<ParameterVersion>`
    select version, provisional, respondents, created_at from item_parameter_versions
    order by created_at desc, version limit ${limit}`);
}

/** The version that was put into use last, or undefined where none ever was. */
export async function findVersionInUse(db: Reader): Promise<string | undefined> {
  const last = await db.find(sql<{ version: string }>`
    select version from item_parameter_uses order by position desc limit 1`);
  return last?.version;
}

/** Puts a version into use from now on; who asks at the same moment waits, so that each use knows the one before it. */
export async function insertUse(tx: Transaction, version: string, now: Date): Promise<void> {
  await tx.run(sql`insert into item_parameter_uses (version, used_from) values (${version}, ${now})`);
}

/** Makes everybody who changes the use wait for the end of this transaction. */
export async function lockUses(tx: Transaction): Promise<void> {
  await tx.run(sql`lock table item_parameter_uses in share row exclusive mode`);
}

/** What a member answered to the statements of a complete assessment. */
export type CompleteAnswers = {
  readonly member_id: string;
  readonly quality_flags: readonly string[];
  readonly answers: readonly { readonly item_id: string; readonly option: number }[];
};

/**
 * The last complete assessment of each member who consents to assessment_data, in the order of the members' ids after
 * `after`: a page of them.
 */
export function listCompleteAnswers(db: Reader, after: string, limit: number): Promise<CompleteAnswers[]> {
  return db.list(sql<CompleteAnswers>`
    with last as (
      select distinct on (member_id) id, member_id, quality_flags from assessments
      where completed_at is not null and member_id > ${after}::uuid and exists (
        select from granted_consents
        where granted_consents.member_id = assessments.member_id and consent_type = 'assessment_data')
      order by member_id, completed_at desc limit ${limit})
    select last.member_id, last.quality_flags,
      (select json_agg(json_build_object('item_id', item_id, 'option', option) order by position)
       from assessment_answers where assessment_id = last.id) as answers
    from last order by member_id`);
}

/** How many members have completed an assessment: what the pages before hold at most. */
export async function countMeasuredMembers(db: Reader): Promise<number> {
  const { count } = await db.one(sql<{ count: number }>`
    select count(distinct member_id) from assessments where completed_at is not null`);
  return count;
}
