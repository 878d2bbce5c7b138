import type { TestApp } from '#test/harness.ts';
import { insertDeployedMembers } from '#modules/members';
import { sql } from '#platform/database/database.ts';
import type { Task } from '#platform/queue/task.ts';
import type { TraitPriorities } from '#modules/traits';

/** The same number in all twenty slots. */
export const fillSlots = (value: number): number[] => Array.from({ length: 20 }, () => value);

/** Means, in every slot, whose fit for any job of one trait has the tier, with the variance that `deployedMember` gives. */
export const tierMeans = { exceptional: 2, strong: 1.4, moderate: 0.8, developing: 0.1, none: -1 } as const;

/** A job that asks for one trait, so that its fit is that trait's posterior. */
export const persistencePriorities: TraitPriorities = { persistence: 1 };

/** Creates a job; its matches are computed by the next `drain`. @returns its id. */
export async function createJob(
  app: TestApp,
  token: string,
  trait_priorities: TraitPriorities = persistencePriorities,
  title = 'Archivist',
): Promise<string> {
  const body = { title, outcome_description: 'The archive is in order.', trait_priorities };
  const answer = await app.request('POST', '/orgs/me/jobs', { token, body });
  if (answer.status !== 201) throw new Error(`the job was answered ${answer.status}`);
  return (answer.body as { id: string }).id;
}

export type Vector = { readonly mean: readonly number[]; readonly variance: readonly number[] };

/** Many deployed members at once, without accounts and without news of them; @returns their ids in order. */
export function insertMembers(app: TestApp, vectors: readonly Vector[]): Promise<readonly string[]> {
  const profile = {
    display_name: 'Somebody',
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
      insert into trait_vectors (member_id, version, item_bank_version, vector, latent_mean, latent_variance, created_at)
      select member_id, 1, 'test', '{}', mean, variance, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (member_id uuid, mean real[], variance real[])`);
    return ids;
  });
}

/** Gives a member a newer vector, without news of it. */
export async function remeasureMember(app: TestApp, member_id: string, mean: number): Promise<void> {
  await app.sql.run(sql`
    insert into trait_vectors (member_id, version, item_bank_version, vector, latent_mean, latent_variance, created_at)
    select ${member_id}, max(version) + 1, 'test', '{}', ${fillSlots(mean)}::real[], ${fillSlots(0.15)}::real[], ${app.clock.now()}
    from trait_vectors where member_id = ${member_id}`);
}

/** Runs a task here and now, with parts of its context replaced. */
export async function runTask<Data extends object>(
  app: TestApp,
  task: Task<Data>,
  data: Data,
  context: Partial<Parameters<Task<Data>['run']>[0]> = {},
): Promise<{ readonly result_url: string } | void> {
  const whole = {
    ...app.platform,
    now: app.clock.now,
    signal: new AbortController().signal,
    reportProgress: () => Promise.resolve(),
  };
  return task.run({ ...whole, ...context }, data);
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

/** Every match of a job, as it is stored, by tier. */
export function listStoredMatches(app: TestApp, job_id: string): Promise<StoredMatch[]> {
  return app.sql.list(sql<StoredMatch>`
    select id, member_id, job_id, match_quality, confidence_level, match_status, computed_at
    from matches where job_id = ${job_id} order by match_quality, id`);
}

/** Puts a match into a state that the endpoints of today do not lead to. */
export async function forceMatchStatus(app: TestApp, id: string, status: string): Promise<void> {
  await app.sql.run(sql`update matches set match_status = ${status} where id = ${id}`);
}

/**
 * Invariant 1: where a reply about matches holds a number, in a text as well, other than the count of its list. Ids, times and cursors
 * are made of digits and tell nothing.
 */
export function findNumberPaths(body: unknown, at = ''): readonly string[] {
  if (at === '.pagination.total_count') return [];
  if (typeof body === 'number') return [at];
  if (typeof body === 'string') return /\d/.test(body) && !/(id|_at|cursor)$/.test(at) ? [at] : [];
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => findNumberPaths(value, `${at}.${key}`));
}
