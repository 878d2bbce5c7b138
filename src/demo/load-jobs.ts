import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { pickOne, type Random } from '@tessera/psychometrics/seeded-random';
import { addJob, jobCreated, listTemplates, readTemplates } from '#modules/matching/jobs';
import { insertOrganisation } from '#modules/organisations/orgs';
import type { Reader, Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';

/** A small sample in the format of the O*NET database, which every copy of the project has. */
export const sampleDir = path.resolve(import.meta.dirname, 'onet-sample');

type Templates = Awaited<ReturnType<typeof readTemplates>>;

/** Reads the imported job templates, or the sample if none have been imported. The sample is not stored. */
export async function findTemplates(db: Reader): Promise<Templates> {
  const imported = await listTemplates(db);
  return imported.length > 0 ? imported : readTemplates(sampleDir);
}

/** Creates a synthetic organisation with active jobs drawn from the templates. Each job emits `job.created`, so that it is matched. */
export async function loadJobs(
  { queue, now }: Pick<Platform, 'queue' | 'now'>,
  tx: Transaction,
  {
    random,
    templates,
    count,
  }: { readonly random: Random; readonly templates: Templates; readonly count: number },
): Promise<{ readonly jobs: number; readonly org_id: string | null }> {
  if (count === 0) return { jobs: 0, org_id: null };
  const org_id = randomUUID();
  await insertOrganisation(tx, { id: org_id, name: 'Demo Works', is_synthetic: true, now: now() });
  for (let number = 0; number < count; number++) {
    const { title, description, trait_priorities } = pickOne(random, templates);
    const fields = { org_id, title, outcome_description: description, trait_priorities };
    const job = await addJob(tx, { ...fields, created_at: now() });
    await queue.emit(tx, jobCreated, { job_id: job.id, org_id });
  }
  return { jobs: count, org_id };
}
