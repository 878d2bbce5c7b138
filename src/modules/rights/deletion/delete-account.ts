import { Type } from 'typebox';
import { clearedRefreshCookie } from '#modules/auth';
import { operation, reply } from '#platform/operation.ts';
import { requestDeletion } from './request-deletion.ts';
import { pendingDeletionWire, toPendingDeletionWire } from '../wire.ts';

export const deleteAccount = operation({
  name: 'rights.deleteAccount',
  summary:
    'Marks the caller’s account for deletion: signed out everywhere at once, out of every open match, and erased after the retention period.',
  who: ['member'],
  recent_authentication: true,
  input: Type.Object({}),
  output: { 202: pendingDeletionWire },
  refuses: ['member_not_found'],
  run: async (context) => {
    const requested = await context.transaction((tx) => requestDeletion(context, tx, context.caller));
    return reply(202, toPendingDeletionWire(requested), [clearedRefreshCookie]);
  },
});
