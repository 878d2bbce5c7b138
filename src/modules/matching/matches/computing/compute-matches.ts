import { Type } from 'typebox';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { findJob } from '#modules/matching/jobs';
import { computeEngagementLevel, findMember } from '#modules/people/members';
import { queuedTaskWire } from '#modules/operations/tasks';
import type { Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { createEngagementRefusal } from '../engagement-check.ts';
import { checkActive } from './check-active.ts';
import { computeJobMatches } from './compute-job-matches.ts';
import { computeMemberMatches } from './compute-member-matches.ts';

export const computeMatches = operation({
  name: 'matches.computeMatches',
  summary:
    'Starts computing the matches of an active job or, if member_id is given, those of a member with all active jobs. Members name themselves, and administrators of an organisation one of its jobs.',
  who: ['member', 'org_admin', 'platform_admin'],
  input: Type.Object({ job_id: Type.Optional(uuid), member_id: Type.Optional(uuid) }),
  output: { 202: queuedTaskWire },
  location: ({ task_id }) => `/tasks/${task_id}`,
  refuses: [
    'job_not_found',
    'job_closed',
    'member_not_found',
    'member_not_deployed',
    'engagement_level_too_low',
    'role_not_allowed',
  ],
  idempotent: true,
  checks: [
    ({ job_id, member_id }) => {
      if (job_id === undefined && member_id === undefined)
        throw createFieldRefusal('field_invalid', '/job_id', 'is required unless member_id is given');
    },
  ],
  run: async (context, { job_id, member_id }) => {
    const { role } = context.caller;
    const forbiddenId = { member: job_id, org_admin: member_id, platform_admin: undefined }[role];
    if (forbiddenId) throw new Refusal('role_not_allowed', { detail: roleNotAllowedDetail });
    return context.transaction(async (tx) => {
      const org_id = job_id ? await requireActiveJob(context, tx, job_id) : null;
      if (member_id) await requireDeployedMember(context, tx, member_id);
      const task = await startComputation(context, tx, { job_id, org_id, member_id });
      await recordCallerAudit(context, tx, {
        action: 'matching.computation_started',
        ...(member_id ? { member_id } : { org_id }),
        detail: { task_id: task.task_id, ...(job_id && { job_id }) },
      });
      return task;
    });
  },
});

const roleNotAllowedDetail =
  'A member can give only their own member_id, and an administrator of an organisation only the job_id of one of its jobs.';

type ComputeContext = Context<'member' | 'org_admin' | 'platform_admin'>;

/** Checks that a job is active and that the caller may name it. @returns the organisation of the job. */
async function requireActiveJob(
  { caller }: ComputeContext,
  tx: Transaction,
  job_id: string,
): Promise<string> {
  const job = await findJob(tx, job_id);
  if (!job || (caller.role === 'org_admin' && caller.org_id !== job.org_id))
    throw new Refusal('job_not_found');
  checkActive(job);
  return job.org_id;
}

async function requireDeployedMember(
  { caller }: ComputeContext,
  tx: Transaction,
  member_id: string,
): Promise<void> {
  const member = await findMember(tx, member_id);
  if (!member || (caller.role === 'member' && caller.member_id !== member.id))
    throw new Refusal('member_not_found');
  if (computeEngagementLevel(member) === 4) return;
  throw caller.role === 'member' ? createEngagementRefusal() : new Refusal('member_not_deployed');
}

/** What to compute, and the organisation of the job. */
type Subject = {
  readonly job_id: string | undefined;
  readonly org_id: string | null;
  readonly member_id: string | undefined;
};

/** Starts the member's computation if a member is given, otherwise the job's. One of both is given. */
function startComputation(
  { caller, queue }: ComputeContext,
  tx: Transaction,
  { job_id, org_id, member_id }: Subject,
) {
  if (member_id) return queue.start(tx, computeMemberMatches, { member_id }, caller.user_id);
  return queue.start(tx, computeJobMatches, { job_id: job_id!, org_id: org_id! }, caller.user_id);
}
