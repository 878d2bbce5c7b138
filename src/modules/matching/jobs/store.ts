import { randomBytes } from 'node:crypto';
import { formatParentId, child_id_bytes } from '#lib/child-id.ts';
import { emptySql, sql, type Reader, type Statement, type Transaction } from '#platform/database/database.ts';
import { jobResource, type Job, type JobFields, type NewJob } from './resource.ts';

const { columns } = jobResource;

/** Inserts an active job. */
export async function insertJob(tx: Transaction, added: Omit<NewJob, 'id'>): Promise<Job> {
  const id = formatParentId(randomBytes(child_id_bytes));
  const inserted = await tx.one(
    sql<Job>`insert into jobs ${jobResource.insert({ ...added, id })} returning ${columns}`,
  );
  void tx.runAhead(
    sql`insert into job_titles (job_id, org_id, title) values (${id}, ${inserted.org_id}, ${inserted.title})`,
  );
  return inserted;
}

/** Finds a job of any organisation by its id. */
export function findJob(db: Reader, id: string): Promise<Job | undefined> {
  return db.find(sql<Job>`select ${columns} from jobs where id = ${id}`);
}

/** Finds a job of the organisation by its id. */
export async function findOrganisationJob(db: Reader, org_id: string, id: string): Promise<Job | undefined> {
  const job = await findJob(db, id);
  return job?.org_id === org_id ? job : undefined;
}

/** Finds the newest job of the organisation with each of these references, by reference. */
export async function listJobsByReference(
  db: Reader,
  org_id: string,
  references: readonly string[],
): Promise<ReadonlyMap<string, Job>> {
  const jobs = await db.list(sql<Job & { external_ref: string }>`
    select distinct on (external_ref) ${columns} from jobs
    where org_id = ${org_id} and external_ref = any(${references}::text[])
    order by external_ref, created_at desc, id desc`);
  return new Map(jobs.map((job) => [job.external_ref, job]));
}

/** Locks a job, so that changes to it and other computations of its matches wait until the transaction ends. */
export function lockJob(tx: Transaction, id: string): Promise<Job | undefined> {
  return tx.find(sql<Job>`select ${columns} from jobs where id = ${id} for no key update`);
}

/** Locks a job of the organisation, so that changes to it and computations of its matches wait until the transaction ends. */
export function lockOrganisationJob(tx: Transaction, org_id: string, id: string): Promise<Job | undefined> {
  return tx.find(
    sql<Job>`select ${columns} from jobs where id = ${id} and org_id = ${org_id} for no key update`,
  );
}

/** Locks a job in share mode: it does not change until the transaction ends. */
export function lockJobShared(tx: Transaction, id: string): Promise<Job | undefined> {
  return tx.find(sql<Job>`select ${columns} from jobs where id = ${id} for share`);
}

/** Lists the ids of all jobs of an organisation. */
export async function listJobIds(db: Reader, org_id: string): Promise<readonly string[]> {
  const rows = await db.list(sql<{ id: string }>`select id from jobs where org_id = ${org_id} order by id`);
  return rows.map(({ id }) => id);
}

/** Deletes jobs for good, with their followers and visits. Their matches must be deleted first. */
export async function deleteJobs(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.run(sql`delete from job_followers where job_id = any(${ids}::uuid[])`);
  await tx.run(sql`delete from job_visits where job_id = any(${ids}::uuid[])`);
  await tx.run(sql`delete from job_titles where job_id = any(${ids}::uuid[])`);
  await tx.run(sql`delete from jobs where id = any(${ids}::uuid[])`);
}

/** Changes what lists call a job, with the commit. */
export function updateJobTitle(tx: Transaction, job_id: string, title: string): void {
  void tx.runAhead(sql`update job_titles set title = ${title} where job_id = ${job_id}`);
}

/** Stores all fields of a job that its organisation may change, except its title in lists. @returns the job as stored. */
export function updateJob(
  tx: Transaction,
  changed: Pick<Job, 'id' | 'version' | 'updated_at'> & JobFields,
): Promise<Job> {
  return tx.one(
    sql<Job>`update jobs set ${jobResource.update(changed)} where id = ${changed.id} returning ${columns}`,
  );
}

/** Leaves out jobs of suspended organisations. */
const ofOpenOrganisations = sql`org_id not in (select id from suspended_organisations)`;

/** Lists active jobs of organisations that are not suspended, with ids greater than `after`, in order of id: those of every organisation, or only those of `org_id`. */
export function listActiveJobs(db: Reader, after: string, limit: number, org_id?: string): Promise<Job[]> {
  const ofOrganisation = org_id === undefined ? emptySql : sql`and org_id = ${org_id}`;
  return db.list(sql<Job>`
    select ${columns} from jobs where status = 'active' and ${ofOpenOrganisations} and id > ${after} ${ofOrganisation} order by id limit ${limit}`);
}

/** What a computation for a member needs of a job: what it asks for and offers. */
type OfferedJob = Pick<
  Job,
  | 'id'
  | 'org_id'
  | 'version'
  | 'clearance_required'
  | 'remote_policy'
  | 'trait_priorities'
  | 'constraints'
  | 'salary_min'
  | 'salary_max'
  | 'salary_currency'
  | 'occupation_code'
  | 'list_end'
>;

const offerColumns = sql`
  id, org_id, version, clearance_required, remote_policy, trait_priorities, constraints, salary_min, salary_max, salary_currency, occupation_code, list_end`;

/** Lists what active jobs offer, also those of suspended organisations: those of the ids, or a page of all, with ids greater than `after`, in order of id. */
export function listOfferedJobs(
  db: Reader,
  selected: { readonly ids: readonly string[] } | { readonly after: string; readonly limit: number },
): Promise<OfferedJob[]> {
  const condition =
    'ids' in selected
      ? sql`id = any(${selected.ids}::uuid[])`
      : sql`id > ${selected.after} order by id limit ${selected.limit}`;
  return db.list(sql<OfferedJob>`select ${offerColumns} from jobs where status = 'active' and ${condition}`);
}

/** A locked job, as far as a computation must know whether it has changed. */
type LockedJob = Pick<Job, 'id' | 'status' | 'version' | 'matches_computed_at'>;

/** Locks those of the jobs that are active, and whose organisations are not suspended, in share mode: they do not change until the transaction ends. */
export function lockActiveJobs(tx: Transaction, ids: readonly string[]): Promise<LockedJob[]> {
  return tx.list(sql<LockedJob>`
    select id, status, version, matches_computed_at from lock_active_jobs(${ids}::uuid[]) where ${ofOpenOrganisations}`);
}

/** Stores when the computation began whose matches this transaction stores, and where their list ends. */
export async function updateComputation(
  tx: Transaction,
  {
    id,
    matches_computed_at,
    list_end,
  }: Pick<Job, 'id' | 'list_end'> & { readonly matches_computed_at: Date },
): Promise<void> {
  await tx.run(sql`
    update jobs set matches_computed_at = ${matches_computed_at}, list_end = ${list_end && JSON.stringify(list_end)}::jsonb where id = ${id}`);
}

/** Lists when the matches of jobs were computed, by job; for a job without a computation, when it was created. */
export async function listMatchTimes(db: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const rows = await db.list(sql<{ id: string; computed_at: Date }>`
    select id, coalesce(matches_computed_at, created_at) as computed_at from jobs where id = any(${ids}::uuid[])`);
  return new Map(rows.map(({ id, computed_at }) => [id, computed_at]));
}

/** What a file about matches says of a job, and when its matches were computed. */
type JobOutline = Pick<Job, 'id' | 'title'> & { readonly computed_at: Date };

/** Lists the jobs of an organisation in any status, or one of them, with ids greater than `after`, in order of id. */
export function listJobOutlines(
  db: Reader,
  { org_id, job_id }: { readonly org_id: string; readonly job_id?: string | undefined },
  after: string,
  limit: number,
): Promise<JobOutline[]> {
  const ofJob = job_id === undefined ? emptySql : sql`and id = ${job_id}`;
  return db.list(sql<JobOutline>`
    select id, title, coalesce(matches_computed_at, created_at) as computed_at from jobs
    where org_id = ${org_id} ${ofJob} and id > ${after} order by id limit ${limit}`);
}

/** Says whether an active job has matches that were computed before a time. */
export async function hasOutdatedMatches(db: Reader, before: Date): Promise<boolean> {
  const found = await db.find(sql`
    select id from jobs where status = 'active' and matches_computed_at < ${before} limit 1`);
  return found !== undefined;
}

/** Lists those of the jobs whose matches were computed before a time. */
export function listJobsWithOutdatedMatches(
  db: Reader,
  ids: readonly string[],
  before: Date,
): Promise<Job[]> {
  return db.list(sql<Job>`
    select ${columns} from jobs where id = any(${ids}::uuid[]) and matches_computed_at < ${before}`);
}

export type JobFilter = {
  readonly org_id: string;
  readonly status?: Job['status'] | undefined;
  readonly external_ref?: string | undefined;
  /** Only jobs that were created or changed at this time (ISO 8601) or later. */
  readonly updated_since?: string | undefined;
};

/** The position of a job in the list: its creation time (ISO 8601) and id. */
export type JobPlace = readonly [created_at: string, id: string];

/** Lists jobs of the organisation, newest first. */
export function listJobs(
  db: Reader,
  filter: JobFilter,
  after: JobPlace | undefined,
  limit: number,
): Promise<Job[]> {
  const from = after ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  return db.list(sql<Job>`
    select ${columns} from jobs where ${buildJobCondition(filter)} ${from} order by created_at desc, id desc limit ${limit}`);
}

export function countJobs(db: Reader, filter: JobFilter): Promise<number> {
  return db.count(sql<{ count: number }>`select count(*) from jobs where ${buildJobCondition(filter)}`);
}

/** Counts the jobs of all organisations. */
export function countAllJobs(db: Reader): Promise<number> {
  return db.count(sql<{ count: number }>`select count(*) from jobs`);
}

function buildJobCondition({ org_id, status, external_ref, updated_since }: JobFilter): Statement {
  return sql`
    org_id = ${org_id} ${status ? sql`and status = ${status}` : emptySql}
    ${external_ref === undefined ? emptySql : sql`and external_ref = ${external_ref}`}
    ${updated_since === undefined ? emptySql : sql`and updated_at >= ${updated_since}::timestamptz`}`;
}
