import { randomUUID } from 'node:crypto';
import { pickOne, type Random } from '#lib/seeded-random.ts';
import { insertJob, jobCreated, listTemplates } from '#modules/jobs';
import { insertOrganisation } from '#modules/orgs';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';

/** Creates an organisation with active jobs drawn from the job templates. Each job emits `job.created`, so that it is matched. */
export async function loadJobs(
  platform: Platform,
  random: Random,
  count: number,
): Promise<{ readonly jobs: number; readonly org_id: string | null }> {
  if (count === 0) return { jobs: 0, org_id: null };
  const templates = await listTemplates(platform.database);
  if (templates.length === 0)
    throw new OperatorError('no job templates have been imported yet: run "import onet <dir>" first');
  const org_id = randomUUID();
  const now = platform.now();
  await platform.database.transaction(async (tx) => {
    await insertOrganisation(tx, { id: org_id, name: 'Demo Works', now });
    for (let number = 0; number < count; number++) {
      const { title, description, trait_priorities } = pickOne(random, templates);
      const job = await insertJob(tx, {
        org_id,
        title,
        outcome_description: description,
        trait_priorities,
        now,
      });
      await platform.queue.emit(tx, jobCreated, { job_id: job.id, org_id });
    }
  });
  return { jobs: count, org_id };
}
