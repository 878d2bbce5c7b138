import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { CultureProfile } from './rules.ts';
import type { Points } from './score.ts';

/** An organisation's answers to one version of the questionnaire. */
export type Survey = { readonly org_id: string; readonly questionnaire_version: string };

/** Serialises the transactions that store answers of one organisation. */
export async function lockSurvey(tx: Transaction, { org_id }: Survey): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`culture.survey:${org_id}`}, 0))`);
}

/** Stores a respondent's points and replaces earlier ones. If the points are unchanged, they stay assigned to their version of the profile. */
export async function upsertResponse(
  tx: Transaction,
  { org_id, questionnaire_version }: Survey,
  { user_id, points, now }: { readonly user_id: string; readonly points: Points; readonly now: Date },
): Promise<void> {
  await tx.run(sql`
    insert into culture_responses as kept (user_id, questionnaire_version, org_id, braving_points, cvf_points, answered_at)
    values (${user_id}, ${questionnaire_version}, ${org_id}, ${points.braving}, ${points.cvf}, ${now})
    on conflict (user_id, questionnaire_version) do update set
      braving_points = excluded.braving_points, cvf_points = excluded.cvf_points, answered_at = excluded.answered_at,
      published_in = case
        when (kept.braving_points, kept.cvf_points) = (excluded.braving_points, excluded.cvf_points) then kept.published_in
      end`);
}

/** The number of respondents whose answers are in no version of the profile. */
export function countUnpublished(db: Reader, { org_id, questionnaire_version }: Survey): Promise<number> {
  return db.count(sql<{ count: number }>`
    select count(*) from culture_responses
    where org_id = ${org_id} and questionnaire_version = ${questionnaire_version} and published_in is null`);
}

/** The points of all respondents, at most one row for each user of the organisation. */
export function listPoints(tx: Transaction, { org_id, questionnaire_version }: Survey): Promise<Points[]> {
  return tx.list(sql<Points>`
    select braving_points as braving, cvf_points as cvf from culture_responses
    where org_id = ${org_id} and questionnaire_version = ${questionnaire_version}`);
}

/** Adds the next version of the profile. The caller must hold the lock on the survey. */
export async function insertProfile(
  tx: Transaction,
  { org_id, questionnaire_version }: Survey,
  { braving, cvf, basis, respondents, computed_at }: Omit<CultureProfile, keyof Survey | 'version'>,
): Promise<number> {
  const { version } = await tx.one(sql<{ version: number }>`
    insert into culture_profiles (org_id, version, questionnaire_version, basis, respondents, braving, cvf, computed_at)
    select ${org_id}, coalesce(max(version), 0) + 1, ${questionnaire_version}, ${basis}, ${respondents}::integer,
      ${JSON.stringify(braving)}::jsonb, ${JSON.stringify(cvf)}::jsonb, ${computed_at}::timestamptz
    from culture_profiles where org_id = ${org_id} returning version`);
  return version;
}

/** Marks the answers that a version of the profile contains for the first time. */
export async function publishResponses(
  tx: Transaction,
  { org_id, questionnaire_version }: Survey,
  version: number,
): Promise<void> {
  await tx.run(sql`
    update culture_responses set published_in = ${version}
    where org_id = ${org_id} and questionnaire_version = ${questionnaire_version} and published_in is null`);
}

/** A version of the organisation's profile, by default the latest, or undefined. */
export function findProfile(
  db: Reader,
  org_id: string,
  version?: number,
): Promise<CultureProfile | undefined> {
  return db.find(sql<CultureProfile>`
    select org_id, version, questionnaire_version, basis, respondents, braving, cvf, computed_at from culture_profiles
    where org_id = ${org_id} and version = coalesce(${version ?? null}::integer, version)
    order by version desc limit 1`);
}

/** When the user last answered this version of the questionnaire, or undefined. */
export async function findAnswerTime(
  db: Reader,
  user_id: string,
  questionnaire_version: string,
): Promise<Date | undefined> {
  const response = await db.find(sql<{ answered_at: Date }>`
    select answered_at from culture_responses
    where user_id = ${user_id} and questionnaire_version = ${questionnaire_version}`);
  return response?.answered_at;
}
