import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { readPolicyHistory } from './describe-policies.ts';
import { policyWire, useWire } from './wire.ts';

export const listFitPolicies = operation({
  name: 'learning.listFitPolicies',
  title: 'List versions of the policy',
  summary:
    'Lists the latest 100 versions of what outcomes say about priorities, with their evaluations, and the latest 100 changes of the version in use; the newest first.',
  who: ['platform_admin'],
  output: {
    200: closedObject({
      live: field(Type.Integer({ minimum: 1 }), 'The version that matching uses.', 1),
      policies: field(Type.Array(policyWire), 'The versions.'),
      uses: field(Type.Array(useWire), 'The changes of the version in use.'),
    }),
  },
  run: async ({ database }) => {
    const { live, policies, uses } = await readPolicyHistory(database);
    return { live: live.version, policies, uses };
  },
});
