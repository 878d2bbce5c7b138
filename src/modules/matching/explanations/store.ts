import type { TraitPriorities } from '#modules/traits';
import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { ConfidenceLevel } from '../engine/tiers.ts';
import type { Match } from '../store.ts';
import type { Explanation } from './explanation.ts';

/** The stored facts that an explanation is computed from. The vector is null if the member has none. */
export type ExplanationSources = Match & {
  readonly confidence_level: ConfidenceLevel;
  readonly trait_priorities: TraitPriorities;
  readonly deployed: boolean;
  readonly vector_version: number | null;
  readonly mean: readonly number[] | null;
  readonly variance: readonly number[] | null;
};

/** Finds the current sources of an explanation, except the organisation's culture; undefined if the match does not exist. */
export function findSources(db: Reader, match_id: string): Promise<ExplanationSources | undefined> {
  return db.find(sql<ExplanationSources>`
    select matches.id, matches.member_id, job_id, matches.org_id, match_quality, match_status, computed_at, confidence_level,
      job_outlines.trait_priorities, exists (select from deployed_members where id = matches.member_id) as deployed,
      latest.version as vector_version, to_json(latest.mean) as mean, to_json(latest.variance) as variance
    from matches join job_outlines on job_outlines.id = matches.job_id
      left join lateral (
        select version, mean, variance from latent_vectors where member_id = matches.member_id
        order by version desc limit 1) as latest on true
    where matches.id = ${match_id}`);
}

export type StoredExplanation = { readonly basis: string; readonly explanation: Explanation };

/** Finds the stored explanation, which may be outdated. */
export function findExplanation(db: Reader, match_id: string): Promise<StoredExplanation | undefined> {
  return db.find(
    sql<StoredExplanation>`select basis, explanation from match_explanations where match_id = ${match_id}`,
  );
}

/** Stores an explanation and replaces an earlier one. */
export async function upsertExplanation(
  tx: Transaction,
  match_id: string,
  { basis, explanation, now }: StoredExplanation & { readonly now: Date },
): Promise<void> {
  await tx.run(sql`
    insert into match_explanations (match_id, basis, explanation, generated_at)
    values (${match_id}, ${basis}, ${JSON.stringify(explanation)}, ${now})
    on conflict (match_id) do update set
      basis = excluded.basis, explanation = excluded.explanation, generated_at = excluded.generated_at`);
}

export type ExplanationRequest = { readonly match_id: string; readonly user_id: string };

/** Serialises the requests of one user for one explanation until the transaction ends. */
export async function lockRequest(tx: Transaction, request: ExplanationRequest): Promise<void> {
  const name = `matching.explanation:${request.match_id}:${request.user_id}`;
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

/** Finds the task that the user waits for, and the basis of the explanation that it generates. */
export function findRequest(
  tx: Transaction,
  { match_id, user_id }: ExplanationRequest,
): Promise<{ readonly task_id: string; readonly basis: string } | undefined> {
  return tx.find(sql<{ task_id: string; basis: string }>`
    select task_id, basis from match_explanation_requests where match_id = ${match_id} and user_id = ${user_id}`);
}

/** Stores the task that the user waits for. */
export async function upsertRequest(
  tx: Transaction,
  { match_id, user_id }: ExplanationRequest,
  { task_id, basis }: { readonly task_id: string; readonly basis: string },
): Promise<void> {
  await tx.run(sql`
    insert into match_explanation_requests (match_id, user_id, basis, task_id)
    values (${match_id}, ${user_id}, ${basis}, ${task_id})
    on conflict (match_id, user_id) do update set basis = excluded.basis, task_id = excluded.task_id`);
}

/** Lists the explanations of a member's matches, for the export of the member's data. */
export function listExplanations(
  db: Reader,
  member_id: string,
): Promise<Readonly<Record<string, unknown>>[]> {
  return db.list(sql<Readonly<Record<string, unknown>>>`
    select match_id, explanation, generated_at from match_explanations
    where match_id in (select id from matches where member_id = ${member_id}) order by generated_at, match_id`);
}
