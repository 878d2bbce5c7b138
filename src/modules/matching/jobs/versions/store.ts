import type { TraitCode, TraitPriorities } from '#modules/measurement/traits';
import { emptySql, sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { JobTerms } from '../rules.ts';
import type { ProbingPattern, RecentVersions } from './rules.ts';

/** A version of a job's requirements. */
export type JobVersion = {
  readonly job_id: string;
  readonly version: number;
  readonly org_id: string;
  readonly trait_priorities: TraitPriorities;
  /** Null for versions from before terms were recorded. */
  readonly terms: JobTerms | null;
  /** The trait whose share of the weight was limited; null for most versions. */
  readonly narrow_trait: TraitCode | null;
  readonly created_at: Date;
};

export function insertVersion(tx: Transaction, added: JobVersion): void {
  const { job_id, version, org_id, trait_priorities, terms, narrow_trait, created_at } = added;
  void tx.runAhead(sql`
    insert into job_versions (job_id, version, org_id, trait_priorities, terms, narrow_trait, created_at)
    values (${job_id}, ${version}, ${org_id}, ${JSON.stringify(trait_priorities)}, ${JSON.stringify(terms)}, ${narrow_trait}, ${created_at})`);
}

/** Finds what a version of a job asks for and offers. */
export function findVersion(
  db: Reader,
  { job_id, version }: Pick<JobVersion, 'job_id' | 'version'>,
): Promise<Pick<JobVersion, 'trait_priorities' | 'terms'> | undefined> {
  return db.find(sql<Pick<JobVersion, 'trait_priorities' | 'terms'>>`
    select trait_priorities, terms from job_versions where job_id = ${job_id} and version = ${version}`);
}

/** Counts the active jobs of an organisation. */
export function countActiveJobs(db: Reader, org_id: string): Promise<number> {
  return db.count(
    sql<{ count: number }>`select count(*) from jobs where org_id = ${org_id} and status = 'active'`,
  );
}

/**
 * Finds the time of the organisation's version at a place, counted from the newest, which has place 1; undefined if there are fewer.
 *
 * @param only_changes Leaves out the first version of each job.
 */
export async function findVersionTime(
  db: Reader,
  org_id: string,
  { place, only_changes }: { readonly place: number; readonly only_changes: boolean },
): Promise<Date | undefined> {
  const row = await db.find(sql<{ created_at: Date }>`
    select created_at from job_versions
    where org_id = ${org_id} ${only_changes ? sql`and version > 1` : emptySql}
    order by created_at desc offset ${place - 1} limit 1`);
  return row?.created_at;
}

/** Counts what an organisation has asked for since a time, at most its latest `versions_max` versions. */
export function countVersions(
  db: Reader,
  org_id: string,
  { since, versions_max }: { readonly since: Date; readonly versions_max: number },
): Promise<RecentVersions> {
  return db.one(sql<RecentVersions>`
    with recent as (
      select job_id, version, narrow_trait from job_versions where org_id = ${org_id} and created_at > ${since}
      order by created_at desc limit ${versions_max})
    select count(*) filter (where version > 1) as changes,
      count(narrow_trait) as narrow_versions,
      count(distinct narrow_trait) as narrow_traits,
      coalesce((
        select max(count) from (select count(*) as count from recent where version > 1 group by job_id) as by_job
      ), 0) as changes_of_one_job
    from recent`);
}

/** Stores that an organisation shows a pattern, unless it was stored since a time. @returns whether it was stored. */
export async function upsertReport(
  tx: Transaction,
  { org_id, pattern }: { readonly org_id: string; readonly pattern: ProbingPattern },
  { now, since }: { readonly now: Date; readonly since: Date },
): Promise<boolean> {
  const rows = await tx.list(sql<{ pattern: string }>`
    insert into probing_reports as kept (org_id, pattern, first_reported_at, last_reported_at, report_count)
    values (${org_id}, ${pattern}, ${now}, ${now}, 1)
    on conflict (org_id, pattern) do update set last_reported_at = excluded.last_reported_at, report_count = kept.report_count + 1
      where kept.last_reported_at <= ${since}
    returning pattern`);
  return rows.length > 0;
}

/** A pattern that an organisation has shown. */
export type ProbingReport = {
  readonly org_id: string;
  readonly organisation: string;
  readonly pattern: ProbingPattern;
  readonly first_reported_at: Date;
  readonly last_reported_at: Date;
  readonly report_count: number;
};

/** Lists the latest reports, the newest first. */
export function listReports(db: Reader, limit: number): Promise<ProbingReport[]> {
  return db.list(sql<ProbingReport>`
    select org_id, name as organisation, pattern, first_reported_at, last_reported_at, report_count
    from probing_reports join organisation_names on organisation_names.id = org_id
    order by last_reported_at desc, org_id, pattern limit ${limit}`);
}
