import { Type } from 'typebox';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { jobCreated } from './events.ts';
import { newJobChecks, parseTraitPriorities } from './rules.ts';
import { insertFollower } from './following/store.ts';
import { addJob } from './add-job.ts';
import { choiceInput, readChoice } from './priorities-choice.ts';
import { jobResource } from './resource.ts';
import { checkLimits, lockLimits } from './versions/check-limits.ts';

const addition = { active_job: true, version: 'first' } as const;

export const createJob = operation({
  name: 'jobs.createJob',
  summary: 'Creates an active job and starts computing its matches.',
  who: ['org_admin'],
  input: Type.Object({ ...jobResource.createInput, priorities_choice: choiceInput }),
  output: { 201: jobResource.wire },
  etag: true,
  location: ({ id }) => `/orgs/me/jobs/${id}`,
  refuses: ['trait_code_unknown', 'trait_priorities_empty', 'job_limit_reached', 'change_limit_reached'],
  idempotent: true,
  tools: [
    {
      name: 'create_job',
      title: 'Create a job',
      kind: 'write',
      roles: ['org_admin'],
      consent: 'Create jobs for your organisation',
      description:
        'Creates an active job and starts computing its matches, which list_job_matches shows after some seconds. trait_priorities maps trait codes of list_traits to weights from 0 to 1; search_job_templates suggests weights by occupation.',
    },
  ],
  checks: newJobChecks,
  run: (context, { priorities_choice, ...input }) => {
    const fields = jobResource.complete(input);
    const trait_priorities = parseTraitPriorities(fields.trait_priorities);
    const shown = { org_id: context.caller.org_id, trait_priorities };
    const choice = readChoice(context.secrets, priorities_choice, shown);
    return context.transaction(async (tx) => {
      const { org_id } = context.caller;
      const locked = await lockLimits(context, tx, addition);
      const now = context.now();
      const [, job] = await Promise.all([
        checkLimits(context, tx, locked, addition),
        addJob(tx, { ...fields, trait_priorities, org_id, created_at: now }),
      ]);
      insertFollower(tx, { job_id: job.id, user_id: context.caller.user_id });
      await context.queue.emit(tx, jobCreated, { job_id: job.id, org_id });
      const detail = { job_id: job.id, ...(choice && { choice }) };
      await recordCallerAudit(context, tx, { action: 'jobs.created', org_id, detail });
      return jobResource.toWire(job);
    });
  },
});
