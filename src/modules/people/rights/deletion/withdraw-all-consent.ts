import { clearedRefreshCookie } from '#modules/access/accounts';
import { withdrawEverything } from '#modules/people/consent';
import { operation, reply } from '#platform/operation.ts';
import { requestDeletion } from './request-deletion.ts';
import { toPendingDeletionWire, withdrawnWire } from '../wire.ts';

export const withdrawAllConsent = operation({
  name: 'rights.withdrawAllConsent',
  summary:
    'Withdraws all consents of the caller with new consent records, and marks the account for deletion.',
  who: ['member'],
  output: { 202: withdrawnWire },
  refuses: ['member_not_found'],
  cookies: { sets: ['refresh_token'] },
  run: async (context) => {
    const { request, withdrawn } = await context.transaction(async (tx) => {
      const types = await withdrawEverything(context, tx, context.caller.member_id);
      return { withdrawn: [...types], request: await requestDeletion(context, tx) };
    });
    return reply(202, { withdrawn, ...toPendingDeletionWire(request) }, [clearedRefreshCookie]);
  },
});
