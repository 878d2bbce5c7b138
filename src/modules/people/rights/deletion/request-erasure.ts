import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { insertDeletionRequest, type DeletionRequest } from '../store.ts';
import { eraseMembers } from './erase-members.ts';

/** Has a member erased who is marked for deletion: at a time, or earlier if that was requested before. */
export async function requestErasure(
  { queue }: Pick<Services, 'queue'>,
  tx: Transaction,
  wanted: DeletionRequest,
): Promise<void> {
  const { request } = await insertDeletionRequest(tx, wanted);
  await queue.send(tx, eraseMembers, {}, { start_after: request.erase_after });
}
