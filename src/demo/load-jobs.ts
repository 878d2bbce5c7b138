import { randomUUID } from 'node:crypto';
import { insertJob, jobCreated, listTemplates } from '#modules/jobs';
import { insertOrganisation } from '#modules/orgs';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import { pickOne, type Random } from '#lib/seeded-random.ts';

/** Makes an organisation with active jobs drawn from the job templates; matching hears of each as of any new job. */
export async function loadJobs(
  platform: Platform,
  random: Random,
  count: number,
): Promise<{ readonly jobs: number; readonly org_id: string | null }> {
  if (count === 0) return { jobs: 0, org_id: null };
  const templates = await listTemplates(platform.database);
  if (templates.length === 0)
    throw new OperatorError('there are no job templates yet: run "import onet DIR" first');
  const org_id = randomUUID();
  const now = platform.now();
  await platform.database.transaction(async (tx) => {
    await insertOrganisation(tx, { id: org_id, name: 'Demo Works', now });
    for (let made = 0; made < count; made++) {
      const { title, description, trait_priorities } = pickOne(random, templates);
      const job = await insertJob(tx, {
        org_id,
        title,
        outcome_description: description,
        trait_priorities,
        now,
      });
      await platform.queue.emit(tx, jobCreated, { job_id: job.id });
    }
  });
  return { jobs: count, org_id };
}
