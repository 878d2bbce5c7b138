import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { insertDeletionRequest, type DeletionRequest } from '../store.ts';
import { eraseMembers } from './erase-members.ts';

/** Schedules the erasure of a member who is marked for deletion. If it was requested before, the time of that request stays. */
export async function requestErasure(
  { queue }: Pick<Services, 'queue'>,
  tx: Transaction,
  wanted: DeletionRequest,
): Promise<void> {
  const { request } = await insertDeletionRequest(tx, wanted);
  await queue.send(tx, eraseMembers, {}, { start_after: request.erase_after });
}
