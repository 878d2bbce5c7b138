import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { endAndRecord } from './end-grant.ts';
import { lockOwnGrant } from './store.ts';
import { grantId } from './wire.ts';

export const revokeGrant = operation({
  name: 'agents.revokeGrant',
  title: 'Disconnect an agent',
  summary: 'Ends what an agent may do. Its next call is refused, and it cannot renew its tokens.',
  who: roles,
  input: Type.Object({ grant_id: grantId }),
  output: { 204: null },
  refuses: ['grant_not_found'],
  run: (context, { grant_id: id }) =>
    context.transaction(async (tx) => {
      const { caller } = context;
      const grant = await lockOwnGrant(tx, { id, user_id: caller.user_id, now: context.now() });
      if (!grant) throw new Refusal('grant_not_found');
      await endAndRecord(context, tx, grant, caller);
      return null;
    }),
});
