import { Type, type Static } from 'typebox';
import { orgRoles, findLinkedEntityId, roles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context, type Reply } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { findTask } from '#platform/queue/tracked-tasks.ts';
import { findOwnLabels } from '../lists/find-new-labels.ts';
import { checkVerifiedAdmin } from '../check-verified-admin.ts';
import { sharingStatuses } from '../contact/rules.ts';
import { createEngagementRefusal } from '../engagement-check.ts';
import { isParty } from '../parties.ts';
import { lockMatch } from '../store.ts';
import { explanationTaskWire, explanationWire } from '../wire.ts';
import { collectSources, isDetailed, isSettled, type Sources } from './explanation-sources.ts';
import { formatExplanation, type ExplanationReader } from './explanation-words.ts';
import { generateExplanation } from './generate-explanation.ts';
import { discloseStandings } from './disclose-standings.ts';
import { findRequest, lockRequest, upsertRequest } from './store.ts';

export const readExplanation = operation({
  name: 'matches.readExplanation',
  title: 'Explain a match',
  summary:
    'Explains a match in words to its member, as “you”, or to its organisation, as “this person”. Organisations read nothing about integrity, and until the member accepts only about the two traits that the job asks for most, or, for one job a year and member, in detail about three to five. While the explanation is being generated, the status is 202: repeat the request, or follow `GET /tasks/{task_id}`.',
  who: roles,
  input: Type.Object({ match_id: uuid }),
  output: { 200: explanationWire, 202: explanationTaskWire },
  location: ({ task_id }) => `/tasks/${task_id}`,
  refuses: ['match_not_found', 'consent_required', 'engagement_level_too_low', 'email_not_verified'],
  writes_on_read:
    'Starts the task that writes the explanation, when it is read for the first time, and records whom the organisation reads about in detail.',
  tools: [
    {
      name: 'explain_match',
      title: 'Explain a match',
      kind: 'read',
      roles: ['member', ...orgRoles],
      consent: 'Read why a job and a person fit',
      description:
        'Explains in words why a job and a person match: strengths, areas to grow, belonging and a summary. If the reply has a task_id instead, the explanation is being written: call again after a second.',
    },
  ],
  run: (context, { match_id }) => explainToCaller(context, match_id),
});

/**
 * Explains a match to the caller in words, or starts the task that generates the explanation.
 *
 * @throws Refusal `match_not_found`, `email_not_verified`, `engagement_level_too_low`, or `consent_required` once the member has withdrawn.
 */
export async function explainToCaller(context: Context, match_id: string): Promise<ExplanationReply> {
  const [found] = await Promise.all([
    collectSources(context.database, match_id),
    checkVerifiedAdmin(context),
  ]);
  if (!found || !isParty(context.caller, found)) throw new Refusal('match_not_found');
  checkReadable(context, found);
  const sources = await discloseMatch(context, found);
  if (!sources) throw new Refusal('match_not_found');
  const { stored } = sources;
  if (stored && (stored.basis === sources.basis || isSettled(sources))) {
    const labels = await findOwnLabels(context, context.database, sources);
    const provisional = (labels?.provisional ?? sources.tier_provisional) || stored.explanation.provisional;
    const explained = { ...sources, ...stored.explanation, ...labels, provisional };
    return reply(200, { match_id, ...formatExplanation(explained, findReader(context, sources)) });
  }
  return context.transaction(async (tx) => reply(202, await requestExplanation(context, tx, sources)));
}

type ExplanationReply =
  | Reply<200, Static<typeof explanationWire>>
  | Reply<202, Static<typeof explanationTaskWire>>;

/**
 * Gives the organisation the details about the people of the job, if it reads this one first. A concurrent read may have done so since the sources
 * were read, so they are read again.
 */
async function discloseMatch(context: Context, sources: Sources): Promise<Sources | undefined> {
  const isReader = orgRoles.some((role) => role === context.caller.role);
  if (!isReader || sources.is_disclosed) return sources;
  await discloseStandings(context, sources);
  return collectSources(context.database, sources.id);
}

function findReader({ caller }: Context, sources: Sources): ExplanationReader {
  const is_detailed = isDetailed(sources);
  if (caller.role === 'member') return { reader: 'member', has_agreed: true, is_detailed };
  return { reader: 'organisation', has_agreed: sharingStatuses.has(sources.match_status), is_detailed };
}

/** Checks that the explanation may be read. Because it reveals traits, the member must be deployed, and a withdrawal ends the organisation's access. */
function checkReadable({ caller }: Context, { deployed, match_status }: Sources): void {
  if (caller.role === 'member' && !deployed) throw createEngagementRefusal();
  if (caller.role !== 'member' && (!deployed || match_status === 'withdrawn'))
    throw new Refusal('consent_required');
}

/** Starts the task that generates an explanation. A user who asks again while it runs gets the same task. */
async function requestExplanation(
  { caller, queue }: Context,
  tx: Transaction,
  { id, member_id, basis }: Sources,
) {
  const { user_id } = caller;
  // A computation may have deleted the match since it was read, or would delete it before the task is noted.
  if (!(await lockMatch(tx, id))) throw new Refusal('match_not_found');
  const request = { match_id: id, user_id };
  await lockRequest(tx, request);
  const earlier = await findRequest(tx, request);
  if (earlier?.basis === basis) {
    const task = await findTask(tx, { id: earlier.task_id, user_id });
    if (task?.status === 'queued' || task?.status === 'running')
      return { task_id: task.id, status: task.status };
  }
  const reader_id = findLinkedEntityId(caller) ?? user_id;
  const task = await queue.start(tx, generateExplanation, { match_id: id, member_id, reader_id }, user_id);
  await upsertRequest(tx, request, { task_id: task.task_id, basis });
  return task;
}
