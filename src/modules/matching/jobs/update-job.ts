import { Type } from 'typebox';
import { checkIfMatch } from '#platform/etag.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { changeJob, lockJobForChange } from './change-job.ts';
import { choiceInput, readChoice } from './priorities-choice.ts';
import { jobResource } from './resource.ts';
import { jobChangeChecks } from './rules.ts';

export const updateJob = operation({
  name: 'jobs.updateJob',
  summary:
    'Changes a job. A field that is left out stays as it is; constraints and trait_priorities are replaced as a whole. A change of the requirements starts a new computation of the matches, and replaces those on which nobody has acted.',
  who: ['org_admin'],
  input: Type.Object({ job_id: uuid, ...jobResource.changeInput, priorities_choice: choiceInput }),
  output: { 200: jobResource.wire },
  etag: true,
  refuses: [
    'job_not_found',
    'trait_code_unknown',
    'trait_priorities_empty',
    'job_limit_reached',
    'change_limit_reached',
  ],
  samples: { request: { salary_min: 95_000, salary_max: 115_000, salary_currency: 'AUD' } },
  checks: jobChangeChecks,
  run: (context, { job_id, priorities_choice, ...patch }) =>
    context.transaction(async (tx) => {
      const locked = await lockJobForChange(context, tx, job_id, patch);
      await checkIfMatch(context.request, () => jobResource.toWire(locked.job));
      const trait_priorities = patch.trait_priorities ?? locked.job.trait_priorities;
      const shown = { org_id: context.caller.org_id, trait_priorities };
      const choice = readChoice(context.secrets, priorities_choice, shown);
      return jobResource.toWire(await changeJob(context, tx, locked, { patch, choice }));
    }),
});
