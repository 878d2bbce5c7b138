import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Draft } from './rules.ts';
import type { Answers } from './score.ts';

/** A respondent's draft for a version of the questionnaire. One that was saved before `since` has ended, even if it is not deleted yet. */
export type DraftKey = {
  readonly user_id: string;
  readonly questionnaire_version: string;
  readonly since: Date;
};

/** The respondent's draft, or undefined. */
export function findDraft(
  db: Reader,
  { user_id, questionnaire_version, since }: DraftKey,
): Promise<Draft | undefined> {
  return db.find(sql<Draft>`
    select braving, cvf, saved_at from culture_drafts
    where user_id = ${user_id} and questionnaire_version = ${questionnaire_version} and saved_at >= ${since}`);
}

/** Saves some answers and keeps those to other items and blocks, unless they have ended. @returns the whole draft. */
export function mergeDraft(
  tx: Transaction,
  { user_id, questionnaire_version, since }: DraftKey,
  { braving, cvf }: Answers,
  now: Date,
): Promise<Draft> {
  return tx.one(sql<Draft>`
    insert into culture_drafts as kept (user_id, questionnaire_version, braving, cvf, saved_at)
    values (${user_id}, ${questionnaire_version}, ${JSON.stringify(braving)}, ${JSON.stringify(cvf)}, ${now})
    on conflict (user_id) do update set
      questionnaire_version = excluded.questionnaire_version,
      braving = case when kept.questionnaire_version = excluded.questionnaire_version and kept.saved_at >= ${since}
        then kept.braving || excluded.braving else excluded.braving end,
      cvf = case when kept.questionnaire_version = excluded.questionnaire_version and kept.saved_at >= ${since}
        then kept.cvf || excluded.cvf else excluded.cvf end,
      saved_at = excluded.saved_at
    returning braving, cvf, saved_at`);
}

/** Deletes the respondent's draft, if there is one. */
export async function removeDraft(tx: Transaction, user_id: string): Promise<void> {
  await tx.run(sql`delete from culture_drafts where user_id = ${user_id}`);
}

/** Deletes at most `limit` drafts that were saved before `horizon`. @returns the number deleted. */
export function deleteEndedDrafts(db: Executor, horizon: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from culture_drafts where user_id in (
      select user_id from culture_drafts where saved_at < ${horizon} limit ${limit})`);
}
