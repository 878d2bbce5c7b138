import { Type, type Static } from 'typebox';
import { all_jobs, neutralMultipliers, type StoredPolicy } from '#modules/matching/matches';
import { traitCodes } from '#modules/measurement/traits';
import { operation } from '#platform/operation.ts';
import { closedObject, field, timestamp } from '#platform/schema.ts';
import { readPolicyHistory, type PolicyHistory } from './describe-policies.ts';
import { policyBounds } from './estimation/derive-multipliers.ts';
import { modelCardTexts } from './model-card-texts.ts';
import { policyWire, useWire } from './wire.ts';

const buildParagraphs = (section: keyof typeof modelCardTexts, description: string) =>
  field(Type.Array(Type.String()), description, [modelCardTexts[section][0]]);
const { multiplier_min, multiplier_max, step_max } = policyBounds;

const multipliersWire = closedObject(
  Object.fromEntries(
    traitCodes.map((code) => [
      code,
      field(Type.Number(), `What the priority of ${code.replaceAll('_', ' ')} is multiplied by.`, 1),
    ]),
  ),
);

const modelCardWire = closedObject(
  {
    version: field(Type.Integer({ minimum: 1 }), 'The version of the policy that matching uses.', 1),
    live_since: field(timestamp, 'Since when.', '2026-09-01T02:41:00.000Z'),
    purpose: buildParagraphs('purpose', 'What the model is for.'),
    not_for: buildParagraphs('not_for', 'What it must not be used for.'),
    data: buildParagraphs('data', 'What it learns from, and how much each counts.'),
    features: buildParagraphs('features', 'What it knows of a match.'),
    excluded: buildParagraphs('excluded', 'What it never knows.'),
    method: buildParagraphs('method', 'How it learns.'),
    promotion: buildParagraphs('promotion', 'What a version must reach before it is used.'),
    limits: buildParagraphs('limits', 'What it cannot do.'),
    bounds: field(
      closedObject({
        multiplier_min: field(Type.Number(), 'The smallest multiplier.', multiplier_min),
        multiplier_max: field(Type.Number(), 'The largest multiplier.', multiplier_max),
        step_max: field(Type.Number(), 'The largest change from one version to the next.', step_max),
      }),
      'The bounds of the multipliers.',
    ),
    weights: field(
      Type.Array(
        closedObject({
          occupation_group: field(
            Type.String(),
            'A SOC major group; `all` for jobs of groups without multipliers of their own.',
            'all',
          ),
          multipliers: field(multipliersWire, 'What each priority is multiplied by.'),
        }),
      ),
      'What priorities are multiplied by, for all jobs and for each occupation group.',
    ),
    versions: field(Type.Array(policyWire), 'The latest versions and their evaluations, the newest first.'),
    uses: field(Type.Array(useWire), 'The latest changes of the version in use, the newest first.'),
  },
  { $id: 'ModelCard' },
);

export const readModelCard = operation({
  name: 'learning.readModelCard',
  title: 'Read the model card',
  summary:
    'Reads what the matching model is for, what it learns from, its weights and bounds, how it was evaluated, and its limits, of the version in use.',
  who: 'anyone',
  output: { 200: modelCardWire },
  run: async ({ database }) => buildModelCard(await readPolicyHistory(database)),
});

function buildModelCard({ live, policies, uses }: PolicyHistory): Static<typeof modelCardWire> {
  const { purpose, not_for, data, features, excluded, method, promotion, limits } = modelCardTexts;
  return {
    version: live.version,
    live_since: uses[0]?.used_at ?? live.created_at.toISOString(),
    purpose: [...purpose],
    not_for: [...not_for],
    data: [...data],
    features: [...features],
    excluded: [...excluded],
    method: [...method],
    promotion: [...promotion],
    limits: [...limits],
    bounds: { multiplier_min, multiplier_max, step_max },
    weights: listWeights(live),
    versions: policies,
    uses,
  };
}

function listWeights({ multipliers }: StoredPolicy): Static<typeof modelCardWire>['weights'] {
  const { [all_jobs]: all = neutralMultipliers, ...groups } = multipliers;
  return [[all_jobs, all] as const, ...Object.entries(groups)].map(([occupation_group, numbers]) => ({
    occupation_group,
    multipliers: Object.fromEntries(traitCodes.map((code, trait) => [code, numbers[trait]!])),
  }));
}
