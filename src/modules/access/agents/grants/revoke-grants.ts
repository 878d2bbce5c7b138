import { roles } from '#lib/caller.ts';
import { operation } from '#platform/operation.ts';
import { revokeAllGrants } from './end-grant.ts';

export const revokeGrants = operation({
  name: 'agents.revokeGrants',
  title: 'Disconnect all agents',
  summary: 'Ends what all agents of the user may do.',
  who: roles,
  output: { 204: null },
  run: (context) =>
    context.transaction(async (tx) => {
      await revokeAllGrants(context, tx, context.caller);
      return null;
    }),
});
