import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { rollBack } from './change-policy.ts';
import { versionInput } from './wire.ts';

export const rollBackFitPolicy = operation({
  name: 'learning.rollBackFitPolicy',
  title: 'Go back to the version of the policy before',
  summary:
    'Puts the version from which the one in use was made into use at once; a worker computes the matches of all active jobs again. Nothing is promoted after that until an operator promotes a version.',
  who: ['platform_admin'],
  input: closedObject({
    live: field(versionInput, 'The version that is in use, as the caller saw it.', 3),
  }),
  output: {
    200: closedObject({
      live: field(versionInput, 'The version that is in use now.', 2),
      before: field(versionInput, 'The one that was.', 3),
    }),
  },
  refuses: ['policy_changed', 'policy_is_first'],
  run: (context, { live }) =>
    context.transaction(async (tx) => {
      const change = await rollBack(context, tx, context.caller);
      if ('first' in change) throw new Refusal('policy_is_first');
      if (change.before !== live) throw new Refusal('policy_changed');
      return change;
    }),
});
