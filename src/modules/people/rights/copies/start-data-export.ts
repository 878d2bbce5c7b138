import { randomUUID } from 'node:crypto';
import type { LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { lockMember } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { findTask } from '#platform/queue/tracked-tasks.ts';
import { buildDataExport } from './build-data-export.ts';
import { computeExportWaitSeconds, computeOldestExportTime } from '../rules.ts';
import { insertDataExport, listRecentExports, type DataExport } from '../store.ts';
import { startedExportWire } from '../wire.ts';

export const startDataExport = operation({
  name: 'rights.startDataExport',
  summary:
    'Starts a data export: a ZIP with all data about the caller as JSON, workbook and CSV. If an export is already in progress, returns its task.',
  who: ['member'],
  output: { 202: startedExportWire },
  location: ({ task_id }) => `/tasks/${task_id}`,
  refuses: ['member_not_found', 'too_many_requests'],
  idempotent: true,
  tools: [
    {
      name: 'request_data_export',
      title: 'Request a data export',
      kind: 'write',
      roles: ['member'],
      consent: 'Start an export of your data, which you download yourself',
      isIdempotent: true,
      description:
        'Starts an export of all data about the person, or returns the one in progress. The person downloads it in the console, under account and data; it is not sent to you.',
    },
  ],
  run: (context) =>
    context.transaction(async (tx) => {
      const { member_id } = context.caller;
      if (!(await lockMember(tx, member_id))) throw new Refusal('member_not_found');
      const recent = await listRecentExports(tx, member_id, computeOldestExportTime(context.now()));
      return (await findRunningExport(tx, context.caller, recent[0])) ?? startExport(context, tx, recent);
    }),
});

/** The newest export, if its task has not ended. */
async function findRunningExport(
  tx: Transaction,
  { user_id }: LoggedInCaller,
  newest: DataExport | undefined,
) {
  const task = newest && (await findTask(tx, { id: newest.task_id, user_id }));
  if (task?.status !== 'queued' && task?.status !== 'running') return undefined;
  return { task_id: task.id, status: task.status };
}

async function startExport(context: Context<'member'>, tx: Transaction, recent: readonly DataExport[]) {
  const { member_id, user_id } = context.caller;
  const now = context.now();
  checkExportLimit(recent, now);
  const id = randomUUID();
  const data = { data_export_id: id, member_id };
  const task = await context.queue.start(tx, buildDataExport, data, user_id);
  await insertDataExport(tx, { id, member_id, task_id: task.task_id, requested_at: now });
  await recordCallerAudit(context, tx, { action: 'rights.data_export_requested', member_id });
  return task;
}

function checkExportLimit(recent: readonly DataExport[], now: Date): void {
  const wait_s = computeExportWaitSeconds(
    recent.map(({ requested_at }) => requested_at),
    now,
  );
  if (wait_s === 0) return;
  throw new Refusal('too_many_requests', {
    detail: 'Too many data exports within a day. Try again after the seconds in Retry-After.',
    headers: { 'retry-after': String(wait_s) },
  });
}
