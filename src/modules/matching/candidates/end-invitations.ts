import { deleteInBatches } from '#platform/database/delete-in-batches.ts';
import { task } from '#platform/queue/task.ts';
import { moveInvitation } from './move-invitation.ts';
import { computeStatus } from './rules.ts';
import { deleteOldInvitations, lockEndedInvitations } from './store.ts';

const day_ms = 86_400_000;
const ended_kept_ms = 30 * day_ms;
const accepted_kept_ms = 365 * day_ms;
/** Each has an event, so a batch is smaller than one that only deletes. */
const batch_rows = 200;

/**
 * Ends invitations whose time has passed or whose member was erased, which deletes their addresses, and deletes those that ended 30 days ago or were
 * accepted a year ago. Until then, somebody who has declined is not invited to the same job again.
 */
export const endInvitations = task({
  name: 'candidates.endInvitations',
  retry_seconds: [60, 600],
  every: '23 * * * *',
  run: async (context) => {
    const { database, now, signal } = context;
    await deleteInBatches(signal, () =>
      database.transaction(async (tx) => {
        const ended = await lockEndedInvitations(tx, now(), batch_rows);
        for (const invitation of ended)
          await moveInvitation(context, tx, invitation, {
            state: computeStatus(invitation, now()),
            member_id: null,
          });
        return ended.length;
      }),
    );
    const horizons = {
      ended: new Date(now().getTime() - ended_kept_ms),
      accepted: new Date(now().getTime() - accepted_kept_ms),
    };
    await deleteInBatches(signal, (limit) => deleteOldInvitations(database, horizons, limit));
  },
});
