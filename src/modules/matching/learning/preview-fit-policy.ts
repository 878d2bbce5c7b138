import { Type } from 'typebox';
import { all_jobs, policyComparison, selectMultipliers } from '#modules/matching/matches';
import { traitCodes } from '#modules/measurement/traits';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { policyBounds } from './estimation/derive-multipliers.ts';
import { requireCandidate } from './require-candidate.ts';
import { versionInPath, versionInput } from './wire.ts';

const multiplier = Type.Number({
  minimum: policyBounds.multiplier_min,
  maximum: policyBounds.multiplier_max,
});

export const previewFitPolicy = operation({
  name: 'learning.previewFitPolicy',
  title: 'Preview a version of the policy',
  summary:
    'Says what a version would change: the multipliers of traits, and how many tiers of up to 200 members for up to 64 active jobs would move. Nothing is stored.',
  who: ['platform_admin'],
  input: closedObject({ version: field(versionInPath, 'The version.', '3') }),
  output: {
    200: closedObject({
      live: field(versionInput, 'The version that is in use.', 2),
      version: field(versionInput, 'The version that would be.', 3),
      multipliers: field(
        Type.Array(
          closedObject({
            trait: field(Type.Enum(traitCodes), 'The trait.', 'persistence'),
            live: field(multiplier, 'What its priority is multiplied by now.', 1),
            candidate: field(multiplier, 'What it would be multiplied by.', 1.06),
          }),
        ),
        'The multipliers that change, for jobs without ones of their occupation group, the largest change first.',
      ),
      families: field(
        Type.Array(Type.String()),
        'The occupation groups (SOC major groups) whose own multipliers change.',
        ['29'],
      ),
      members: field(Type.Integer({ minimum: 0 }), 'The members who were compared.', 200),
      tiers: policyComparison.tierMovesField,
    }),
  },
  refuses: ['policy_not_found', 'policy_not_next'],
  run: async (context, { version }) => {
    const { database } = context;
    const { live, candidate } = await requireCandidate(database, version);
    const listChanges = (group: string | null) => {
      const [before, after] = [live, candidate].map((policy) => selectMultipliers(policy.multipliers, group));
      return traitCodes
        .map((trait, index) => ({ trait, live: before![index]!, candidate: after![index]! }))
        .filter((each) => each.live !== each.candidate);
    };
    const groups = Object.keys({ ...live.multipliers, ...candidate.multipliers });
    return {
      live: live.version,
      version: candidate.version,
      multipliers: listChanges(null).toSorted((one, other) => measureStep(other) - measureStep(one)),
      families: groups.filter((group) => group !== all_jobs && listChanges(group).length > 0).toSorted(),
      ...(await policyComparison.compareLists(context, database, { live, candidate })),
    };
  },
});

function measureStep({ live, candidate }: { readonly live: number; readonly candidate: number }): number {
  return Math.abs(candidate - live);
}
