import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { task } from '#platform/queue/task.ts';
import { openAddress, sealVolunteerLink } from './sealed-links.ts';
import { sendVolunteerMail } from './send-volunteer-mail.ts';
import { takeDueInvitations } from './store.ts';

const batch_invitations = 100;
const batches_max = 1_000;

/** Invites volunteers to the second test, and deletes their addresses. If the operator no longer asks volunteers, it only deletes them. */
export const inviteVolunteers = task({
  name: 'traits.inviteVolunteers',
  // The next hourly run replaces a retry.
  retry_seconds: [],
  every: '37 * * * *',
  run: async (context) => {
    for (let batch = 0; batch < batches_max; batch++) {
      context.signal.throwIfAborted();
      const taken = await context.database.transaction((tx) => sendInvitations(context, tx));
      if (taken < batch_invitations) break;
    }
  },
});

async function sendInvitations(
  services: Pick<Services, 'config' | 'now' | 'queue' | 'secrets'>,
  tx: Transaction,
): Promise<number> {
  const now = services.now();
  const due = await takeDueInvitations(tx, now, batch_invitations);
  if (!services.config.volunteers) return due.length;
  for (const { id, email_sealed } of due) {
    const email = openAddress(services, email_sealed);
    const link = { kind: 'invitation', id, email, made_ms: now.getTime() } as const;
    await services.queue.send(tx, sendVolunteerMail, { link_sealed: sealVolunteerLink(services, link) });
  }
  return due.length;
}
