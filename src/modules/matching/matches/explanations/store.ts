import { readParentId } from '#lib/child-id.ts';
import type { TraitPriorities } from '#modules/measurement/traits';
import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { ConfidenceLevel, Values } from '#modules/matching/engine';
import type { Match } from '../store.ts';
import { listDisclosures } from './store-disclosures.ts';
import type { Explanation } from './explanation.ts';

/** The stored facts that an explanation is computed from. The vector is null if the member has none. */
export type ExplanationSources = Omit<Match, 'provisional'> & {
  /** Whether the tier follows from parameters that are not yet calibrated, and whether the vector does. */
  readonly tier_provisional: boolean;
  readonly vector_provisional: boolean;
  readonly confidence_level: ConfidenceLevel;
  /** The priorities of the version that the match belongs to. */
  readonly trait_priorities: TraitPriorities;
  /** The job family; null for jobs without one. */
  readonly occupation_group: string | null;
  /** The version of the policy by which the labels were computed last; null for matches from before it was logged. */
  readonly policy_version: number | null;
  /** The version of the job's requirements now. */
  readonly job_version: number;
  readonly deployed: boolean;
  /** Whether the member has agreed that organisations read about them in detail. */
  readonly allows_detail: boolean;
  /** Whether the organisation reads about the member in detail in this version of the job. */
  readonly is_disclosed: boolean;
  readonly vector_version: number | null;
  readonly mean: readonly number[] | null;
  readonly variance: readonly number[] | null;
  /** The values that the member has stated; null if there are none. */
  readonly values: Values | null;
  /** The explanation that was stored last, which may be outdated. */
  readonly stored: StoredExplanation | undefined;
};

/**
 * Lists the current sources of the explanations of some matches of a job, except the organisation's culture.
 *
 * @param detailed_versions The versions of the consent to matching that allow details.
 */
export async function listSources(
  db: Reader,
  { job_id, match_ids }: { readonly job_id: string; readonly match_ids: readonly string[] },
  detailed_versions: readonly string[],
): Promise<readonly ExplanationSources[]> {
  const matches = await db.list(sql<JobSources>`
    select matches.id, matches.member_id, matches.job_id, matches.org_id, match_quality, match_status, computed_at, confidence_level,
      matches.provisional as tier_provisional,
      matches.version, matches.policy_version, job_version, trait_priorities, occupation_group, basis, explanation
    from matches join job_priorities on job_priorities.job_id = matches.job_id and job_priorities.version = matches.version
      left join match_explanations on match_explanations.job_id = matches.job_id and match_id = matches.id
    where matches.job_id = ${job_id} and matches.id = any(${match_ids}::uuid[])`);
  if (matches.length === 0) return [];
  const member_ids = matches.map(({ member_id }) => member_id);
  const [listed, disclosed] = await Promise.all([
    listMemberSources(db, member_ids, detailed_versions),
    listDisclosures(db, member_ids, { org_id: matches[0]!.org_id, domains: [] }),
  ]);
  const members = new Map(listed.map(({ member_id, ...sources }) => [member_id, sources]));
  return matches.map(({ basis, explanation, ...rest }) => ({
    ...rest,
    is_disclosed: disclosed.some(
      (each) =>
        each.member_id === rest.member_id && each.job_id === rest.job_id && each.version === rest.version,
    ),
    stored: completeExplanation(basis, explanation),
    ...(members.get(rest.member_id) ?? withoutVector),
  }));
}

/** Explanations were once stored without `provisional`, when parameters were not calibrated, without `weighed`, when there were no policies, without details, without `extreme`, when traits were not compared, and without `culture_basis`, when no culture was declared. */
function completeExplanation(
  basis: JobSources['basis'],
  explanation: JobSources['explanation'],
): StoredExplanation | undefined {
  if (basis === null || explanation === null) return undefined;
  const {
    provisional = true,
    weighed = { more: [], less: [] },
    standings = [],
    culture_basis = explanation.belonging.authenticity === 'unknown' ? null : 'measured',
  } = explanation;
  return {
    basis,
    explanation: {
      ...explanation,
      provisional,
      weighed,
      standings: standings.map((each) => ({ ...each, extreme: each.extreme ?? null })),
      culture_basis,
    },
  };
}

/** The fields that explanations did not always have. */
type LaterFields = 'provisional' | 'weighed' | 'standings' | 'culture_basis';

/** What is stored with the job. The basis and the explanation are null if there is none. */
type JobSources = Omit<ExplanationSources, keyof MemberSources | 'stored' | 'is_disclosed'> & {
  readonly basis: string | null;
  readonly explanation: (Omit<Explanation, LaterFields> & Partial<Pick<Explanation, LaterFields>>) | null;
};

type MemberSources = Pick<
  ExplanationSources,
  'deployed' | 'allows_detail' | 'vector_version' | 'vector_provisional' | 'mean' | 'variance' | 'values'
>;

function listMemberSources(
  db: Reader,
  member_ids: readonly string[],
  detailed_versions: readonly string[],
): Promise<(MemberSources & { readonly member_id: string })[]> {
  return db.list(sql<MemberSources & { readonly member_id: string }>`
    select distinct on (member_id) member_id, version as vector_version, provisional as vector_provisional, to_json(mean) as mean,
      to_json(variance) as variance, deployed.id is not null as deployed,
      exists (
        select from granted_consents
        where granted_consents.member_id = latent_vectors.member_id and consent_type = 'matching' and granted_consents.version = any(${detailed_versions}::text[])
      ) as allows_detail,
      (select "values" from matching_preferences where matching_preferences.member_id = latent_vectors.member_id) as "values"
    from latent_vectors left join (select id from deployed_members where id = any(${member_ids}::uuid[])) as deployed on deployed.id = member_id
    where member_id = any(${member_ids}::uuid[])
    order by member_id, coalesce((
      select latent_vectors.parameter_version = listed.parameter_version or latent_vectors.bank <> listed.bank
      from listed_vector_versions as listed order by position desc limit 1), false) desc, version desc`);
}

/** A member is deployed only after a measurement. */
const withoutVector: MemberSources = {
  deployed: false,
  allows_detail: false,
  vector_version: null,
  vector_provisional: true,
  mean: null,
  variance: null,
  values: null,
};

/** Lists those of the first open matches of a version of a job that have no explanation, in the order of the lists. */
export function listUnexplained(
  db: Reader,
  { job_id, version, limit }: Pick<Match, 'job_id' | 'version'> & { readonly limit: number },
): Promise<{ readonly match_id: string; readonly member_id: string }[]> {
  return db.list(sql<{ match_id: string; member_id: string }>`
    select id as match_id, member_id from (
      select id, member_id from matches where job_id = ${job_id} and version = ${version} and match_status = 'pending_review'
      order by match_quality, id limit ${limit}) as first_matches
    where not exists (
      select from match_explanations where match_explanations.job_id = ${job_id} and match_explanations.match_id = first_matches.id)`);
}

export type StoredExplanation = { readonly basis: string; readonly explanation: Explanation };

/** Stores an explanation and replaces an earlier one. */
export async function upsertExplanation(
  tx: Transaction,
  match_id: string,
  { basis, explanation, now }: StoredExplanation & { readonly now: Date },
): Promise<void> {
  await tx.run(sql`
    insert into match_explanations (job_id, match_id, basis, explanation, generated_at)
    values (${readParentId(match_id)}, ${match_id}, ${basis}, ${JSON.stringify(explanation)}, ${now})
    on conflict (job_id, match_id) do update set
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
    select task_id, basis from match_explanation_requests
    where job_id = ${readParentId(match_id)} and match_id = ${match_id} and user_id = ${user_id}`);
}

/** Stores the task that the user waits for. */
export async function upsertRequest(
  tx: Transaction,
  { match_id, user_id }: ExplanationRequest,
  { task_id, basis }: { readonly task_id: string; readonly basis: string },
): Promise<void> {
  await tx.run(sql`
    insert into match_explanation_requests (job_id, match_id, user_id, basis, task_id)
    values (${readParentId(match_id)}, ${match_id}, ${user_id}, ${basis}, ${task_id})
    on conflict (job_id, match_id, user_id) do update set basis = excluded.basis, task_id = excluded.task_id`);
}
