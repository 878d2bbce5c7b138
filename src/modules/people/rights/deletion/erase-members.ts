import { nil_uuid } from '#lib/nil-uuid.ts';
import { recordAudit } from '#modules/operations/audit';
import { findMemberAccounts } from '#modules/access/accounts';
import type { Transaction } from '#platform/database/database.ts';
import type { Platform, Services } from '#platform/platform.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { listDueDeletions, lockDueDeletion, insertDeletionRequest, type DeletionRequest } from '../store.ts';

const batch_members = 100;

/**
 * Erases every member whose retention period has passed. The task names no member but reads from the database who is due, so the next hourly
 * run makes up for a lost one. A member whose erasure fails does not delay the others.
 */
export const eraseMembers = task({
  name: 'rights.eraseMembers',
  retry_seconds: [60, 600],
  every: '41 * * * *',
  run: async (context) => {
    const failures: unknown[] = [];
    let batch: readonly string[];
    let after = nil_uuid;
    do {
      batch = await listDueDeletions(context.database, context.now(), after, batch_members);
      for (const member_id of batch) {
        context.signal.throwIfAborted();
        await eraseMember(context, member_id).catch((error: unknown) => failures.push(error));
        after = member_id;
      }
    } while (batch.length === batch_members);
    if (failures.length > 0) throw new AggregateError(failures, 'members could not be erased');
  },
});

/** Erases all data of a member in one transaction. If a table is forgotten, its rows still refer to the member, and the database refuses. */
function eraseMember({ database, personalData, now }: TaskContext, member_id: string): Promise<void> {
  return database.transaction(async (tx) => {
    if (!(await lockDueDeletion(tx, member_id, now()))) return;
    await eraseMemberData({ personalData }, tx, member_id);
    // The service must be able to prove that it erased a member, but not which one.
    await recordAudit(tx, { now: now(), actor: null, action: 'rights.member_erased' });
  });
}

/** Erases all data of a member who is marked for deletion, in the order of the table of personal data. */
export async function eraseMemberData(
  { personalData }: Pick<Platform, 'personalData'>,
  tx: Transaction,
  member_id: string,
): Promise<void> {
  const accounts = await findMemberAccounts(tx, member_id);
  for (const holder of Object.values(personalData)) await holder.erasePersonalData(tx, member_id, accounts);
}

/** Schedules the erasure of a member who is marked for deletion. If it was requested before, the time of that request stays. */
export async function requestErasure(
  { queue }: Pick<Services, 'queue'>,
  tx: Transaction,
  wanted: DeletionRequest,
): Promise<void> {
  const { request } = await insertDeletionRequest(tx, wanted);
  await queue.send(tx, eraseMembers, {}, { start_after: request.erase_after });
}
