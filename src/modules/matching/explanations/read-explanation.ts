import { Type } from 'typebox';
import { findLinkedEntityId, roles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { findTask } from '#platform/queue/tracked-tasks.ts';
import { createEngagementRefusal } from '../engagement-check.ts';
import { collectSources, type Sources } from './explanation-sources.ts';
import { formatExplanation } from './explanation-words.ts';
import { generateExplanation } from './generate-explanation.ts';
import { isOpen } from '../lifecycle/rules.ts';
import { findExplanation, findRequest, lockRequest, upsertRequest } from './store.ts';
import { explanationTaskWire, explanationWire } from '../wire.ts';

export const readExplanation = operation({
  name: 'matching.readExplanation',
  summary:
    'Why a match is one, in words, for its member and its organisation. 202 while it is made: ask again, or ask `GET /tasks/{task_id}`.',
  who: roles,
  input: Type.Object({ match_id: uuid }),
  output: { 200: explanationWire, 202: explanationTaskWire },
  refuses: ['match_not_found', 'consent_required', 'engagement_level_too_low'],
  run: async (context, { match_id }) => {
    const sources = await collectSources(context.database, match_id);
    if (!sources || ![sources.member_id, sources.org_id].includes(findLinkedEntityId(context.caller)!))
      throw new Refusal('match_not_found');
    checkReadable(context, sources);
    const kept = await findExplanation(context.database, match_id);
    // What has ended keeps the explanation that it had.
    if (kept && (kept.basis === sources.basis || !isOpen(sources.match_status)))
      return reply(200, { match_id, ...formatExplanation({ ...sources, ...kept.explanation }) });
    return context.transaction(async (tx) => reply(202, await requestExplanation(context, tx, sources)));
  },
});

/** An explanation speaks of traits: it is there as long as the member is there to be matched, and not for an organisation that was left. */
function checkReadable({ caller }: Context, { deployed, match_status }: Sources): void {
  if (caller.role === 'member' && !deployed) throw createEngagementRefusal();
  if (caller.role !== 'member' && (!deployed || match_status === 'withdrawn'))
    throw new Refusal('consent_required');
}

/** One task for each user who waits, however often they ask. */
async function requestExplanation(
  { caller, queue }: Context,
  tx: Transaction,
  { id, member_id, basis }: Sources,
) {
  const { user_id } = caller;
  const request = { match_id: id, user_id };
  await lockRequest(tx, request);
  const asked = await findRequest(tx, request);
  if (asked?.basis === basis) {
    const task = await findTask(tx, { id: asked.task_id, user_id });
    if (task?.status === 'queued' || task?.status === 'running')
      return { task_id: task.id, status: task.status };
  }
  const task = await queue.start(tx, generateExplanation, { match_id: id, member_id }, user_id);
  await upsertRequest(tx, request, { task_id: task.task_id, basis });
  return task;
}
