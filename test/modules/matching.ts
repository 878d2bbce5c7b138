import { randomBytes } from 'node:crypto';
import { formatChildId, child_id_bytes } from '#lib/child-id.ts';
import { insertDeployedMembers } from '#modules/people/members';
import { traitCodes, type TraitCode, type TraitPriorities } from '#modules/measurement/traits';
import { sql } from '#platform/database/database.ts';
import type { Task } from '#platform/queue/task.ts';
import type { TestApp } from '#test/harness.ts';
import { insertMatches } from '../../src/modules/matching/matches/store.ts';
import { computeReferenceFit, typicalWeights } from './reference-engine.ts';

/** Fills all twenty slots with the same number. */
export const fillSlots = (value: number): number[] => Array.from({ length: 20 }, () => value);

/** For each tier, a fit that leads to it for a job that asks only for persistence, if every variance is 0.15. */
export const tierMeans = { exceptional: 2, strong: 1.5, moderate: 0.8, developing: 0.1, none: -1 } as const;

/** The priorities of a job with one trait. */
export const persistencePriorities: TraitPriorities = { persistence: 1 };

/**
 * Computes the means of a member whose fit for a job that asks only for persistence is `fit`. The traits of `codes` are equally high, and all
 * others so little below average that the fit for typical work is 0.
 */
export function fillMeans(fit: number, codes: readonly TraitCode[] = ['persistence']): number[] {
  const isHigh = traitCodes.map((code) => codes.includes(code));
  const sumWeights = (high: boolean) =>
    typicalWeights.reduce((sum, weight, slot) => sum + (isHigh[slot] === high ? weight : 0), 0);
  const low = -sumWeights(true) / sumWeights(false);
  const mean = isHigh.map((high) => (high ? 1 : low));
  const unit = computeReferenceFit({ member_id: '', mean, variance: fillSlots(0) }, persistencePriorities);
  return mean.map((value) => (value * fit) / unit.mean);
}

/** Creates a job. The next `drainQueue` computes its matches. @returns the id of the job. */
export async function createJob(
  app: TestApp,
  token: string,
  trait_priorities: TraitPriorities = persistencePriorities,
  title = 'Archivist',
): Promise<string> {
  const { status, body } = await app.request('POST', '/orgs/me/jobs', {
    token,
    body: { title, outcome_description: 'The archive is in order.', trait_priorities },
  });
  if (status !== 201) throw new Error(`creating the job returned ${status}`);
  return body.id;
}

export type Vector = { readonly mean: readonly number[]; readonly variance: readonly number[] };

/** Inserts many deployed members at once, without accounts and events. @returns their ids in order. */
export function insertMembers(app: TestApp, vectors: readonly Vector[]): Promise<readonly string[]> {
  const profile = {
    display_name: 'Member',
    current_industry: 'health',
    years_experience: 3,
    education_level: 'masters',
    location_country: 'NZ',
    location_state: null,
  } as const;
  const now = app.clock.now();
  return app.sql.transaction(async (tx) => {
    const ids = await insertDeployedMembers(
      tx,
      vectors.map(() => profile),
      now,
    );
    const rows = ids.map((member_id, index) => ({ ...vectors[index]!, member_id }));
    await tx.run(sql`
      insert into trait_vectors (member_id, version, item_bank_version, provisional, vector, latent_mean, latent_variance, created_at)
      select member_id, 1, 'test', false, '{}', mean, variance, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (member_id uuid, mean real[], variance real[])`);
    return ids;
  });
}

/** Inserts a newer trait vector of a member, with the means of {@link fillMeans}, without an event. */
export async function remeasureMember(
  app: TestApp,
  member_id: string,
  fit: number,
  codes?: readonly TraitCode[],
): Promise<void> {
  await app.sql.run(sql`
    insert into trait_vectors (member_id, version, item_bank_version, provisional, vector, latent_mean, latent_variance, created_at)
    select ${member_id}, max(version) + 1, 'test', false, '{}', ${fillMeans(fit, codes)}::real[], ${fillSlots(0.15)}::real[], ${app.clock.now()}
    from trait_vectors where member_id = ${member_id}`);
}

/** Runs a task immediately, with parts of its context replaced. */
export async function runTask<Data extends object>(
  app: TestApp,
  task: Task<Data>,
  data: Data,
  context: Partial<Parameters<Task<Data>['run']>[0]> = {},
): Promise<{ readonly result_url: string } | void> {
  const defaults = {
    ...app.platform,
    now: app.clock.now,
    signal: new AbortController().signal,
    reportProgress: () => Promise.resolve(),
  };
  return task.run({ ...defaults, ...context }, data);
}

export type StoredMatch = {
  readonly id: string;
  readonly member_id: string;
  readonly job_id: string;
  readonly match_quality: string;
  readonly confidence_level: string;
  readonly match_status: string;
  readonly computed_at: Date;
};

/** Lists the stored matches of a job by tier. */
export function listStoredMatches(app: TestApp, job_id: string): Promise<StoredMatch[]> {
  return app.sql.list(sql<StoredMatch>`
    select id, member_id, job_id, match_quality, confidence_level, match_status, computed_at
    from matches where job_id = ${job_id} order by match_quality, id`);
}

/** Finds the stored match of a job with a member. @throws Error if there is none. */
export async function findStoredMatch(app: TestApp, job_id: string, member_id: string): Promise<StoredMatch> {
  const match = (await listStoredMatches(app, job_id)).find((each) => each.member_id === member_id);
  if (!match) throw new Error('the member has no match with the job');
  return match;
}

/** Sets the status of a match directly, including statuses that no endpoint sets. */
export async function forceMatchStatus(app: TestApp, id: string, status: string): Promise<void> {
  await app.sql.transaction(async (tx) => {
    await tx.run(sql`update matches set match_status = ${status} where id = ${id}`);
    await tx.run(sql`update member_matches set match_status = ${status} where match_id = ${id}`);
  });
}

/** Inserts a strong match that is pending, unless the member and the job have one. */
export async function insertStoredMatch(
  app: TestApp,
  ids: { readonly member_id: string; readonly job_id: string; readonly org_id: string },
): Promise<void> {
  const id = formatChildId(ids.job_id, randomBytes(child_id_bytes));
  const { version } = await app.sql.one(
    sql<{ version: number }>`select version from jobs where id = ${ids.job_id}`,
  );
  const labels = {
    match_quality: 'strong',
    confidence_level: 'high',
    provisional: false,
    suitability: 120,
  } as const;
  const match = { ...ids, ...labels, id, version };
  await app.sql.transaction((tx) => insertMatches(tx, [match], app.clock.now()));
}

/** Deletes the matches of a member, or of everybody. */
export async function deleteStoredMatches(app: TestApp, member_id?: string): Promise<void> {
  await app.sql.transaction(async (tx) => {
    await tx.run(
      sql`delete from matches where ${member_id ?? null}::uuid is null or member_id = ${member_id ?? null}`,
    );
    await tx.run(
      sql`delete from member_matches where ${member_id ?? null}::uuid is null or member_id = ${member_id ?? null}`,
    );
  });
}

/**
 * Finds the numbers in a reply about matches, including digits in texts. The count of a list is allowed, and so are ids, times and cursors,
 * because they reveal nothing about a match.
 *
 * @returns the paths of the numbers.
 */
export function findNumberPaths(body: unknown, path = ''): readonly string[] {
  if (path === '.pagination.total_count') return [];
  if (typeof body === 'number') return [path];
  if (typeof body === 'string') return /\d/.test(body) && !/(id|_at|cursor)$/.test(path) ? [path] : [];
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => findNumberPaths(value, `${path}.${key}`));
}
