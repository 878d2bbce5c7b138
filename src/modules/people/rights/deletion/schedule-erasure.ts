import { task } from '#platform/queue/task.ts';
import { computeEraseTime } from '../rules.ts';
import { requestErasure } from './erase-members.ts';

/** Schedules the erasure of a member whose account lost its address, after the retention period. A second run changes nothing. */
export const scheduleErasure = task<{ readonly member_id: string }>({
  name: 'rights.scheduleErasure',
  retry_seconds: [10, 60, 600],
  run: ({ database, config, queue, now }, { member_id }) =>
    database.transaction(async (tx) => {
      const requested_at = now();
      const erase_after = computeEraseTime(requested_at, config.retention_seconds);
      await requestErasure({ queue }, tx, { member_id, requested_at, erase_after });
    }),
});
