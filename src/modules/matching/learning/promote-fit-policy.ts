import { Refusal } from '#lib/refusal.ts';
import { lockPolicies } from '#modules/matching/matches';
import { recordCallerAudit } from '#modules/operations/audit';
import { queuedTaskWire } from '#modules/operations/tasks';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { promoteVersion } from './promote-version.ts';
import { requireCandidate } from './require-candidate.ts';
import { versionInPath, versionInput } from './wire.ts';

export const promoteFitPolicy = operation({
  name: 'learning.promoteFitPolicy',
  title: 'Promote a version of the policy',
  summary:
    'Evaluates a version again, by all outcomes, and puts it into use if every rule allows it; a worker then computes the matches of all active jobs again. `GET /tasks/{task_id}` shows when the evaluation is done, and `GET /operator/policies` what it found.',
  who: ['platform_admin'],
  input: closedObject({
    version: field(versionInPath, 'The version to promote.', '3'),
    live: field(versionInput, 'The version that is in use, as the caller saw it.', 2),
  }),
  output: { 202: queuedTaskWire },
  location: ({ task_id }) => `/tasks/${task_id}`,
  idempotent: true,
  refuses: ['policy_changed', 'policy_not_found', 'policy_not_next'],
  run: (context, { version, live: seen }) =>
    context.transaction(async (tx) => {
      await lockPolicies(tx);
      const { live, candidate } = await requireCandidate(tx, version);
      if (live.version !== seen) throw new Refusal('policy_changed');
      const { user_id, role } = context.caller;
      const data = { version: candidate.version, actor: { user_id, role } };
      const task = await context.queue.start(tx, promoteVersion, data, user_id);
      const detail = { task_id: task.task_id, version: candidate.version };
      await recordCallerAudit(context, tx, { action: 'policies.promotion_started', detail });
      return task;
    }),
});
