import { clearedRefreshCookie } from '#modules/access/accounts';
import { operation, reply } from '#platform/operation.ts';
import { requestDeletion } from './request-deletion.ts';
import { pendingDeletionWire, toPendingDeletionWire } from '../wire.ts';

export const deleteAccount = operation({
  name: 'rights.deleteAccount',
  summary:
    'Marks the caller’s account for deletion. The member is logged out everywhere and withdrawn from all open matches at once, and erased after the retention period.',
  who: ['member'],
  output: { 202: pendingDeletionWire },
  refuses: ['member_not_found'],
  cookies: { sets: ['refresh_token'] },
  run: async (context) => {
    const request = await context.transaction((tx) => requestDeletion(context, tx));
    return reply(202, toPendingDeletionWire(request), [clearedRefreshCookie]);
  },
});
