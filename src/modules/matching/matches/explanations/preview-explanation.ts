import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { matchQualities } from '#modules/matching/engine';
import {
  findLatestVector,
  loadTraitNorms,
  type TraitNorms,
  type TraitPriorities,
} from '#modules/measurement/traits';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { findListedVersion } from '../index/store-vectors.ts';
import { explanationWire } from '../wire.ts';
import { explainExample } from './explain-example.ts';
import type { ExplainedMember } from './explanation.ts';
import { formatExplanation } from './explanation-words.ts';

/** The priorities of the example: a job that asks for four traits, as a careful organisation would. */
export const examplePriorities: TraitPriorities = {
  analytical_depth: 0.9,
  collaborative_orientation: 0.8,
  persistence: 0.6,
  change_agility: 0.5,
};

const { match_id: _none, ...explanationFields } = explanationWire.properties;

/** The tier, and the explanation in words. */
export const exampleFields = {
  match_tier: field(Type.Enum(matchQualities), 'How well the member fits the example job.', 'strong'),
  ...explanationFields,
};

export const previewExplanation = operation({
  name: 'matches.previewExplanation',
  title: 'Preview what an organisation reads about you',
  summary:
    'Returns what an organisation with an example job would read about the member before the member has agreed to be known: the tier, and the explanation in words, in the detail that it reads for one of its jobs a year. No organisation learns of it.',
  who: ['member'],
  output: {
    200: closedObject(exampleFields),
  },
  refuses: ['trait_vector_not_found'],
  run: async (context) => {
    const { member_id } = context.caller;
    const vector = await findLatestVector(context.database, member_id);
    if (!vector) throw new Refusal('trait_vector_not_found');
    const { version } = await findListedVersion(context.database);
    const norms = await loadTraitNorms(context, context.database, version);
    return explainForExample({ member_id, ...vector }, norms);
  },
});

type ExampleMember = Omit<ExplainedMember, 'values'> & { readonly member_id: string };

/** Explains to an organisation how somebody fits the example job, before they have agreed to be known. */
export function explainForExample(member: ExampleMember, norms: TraitNorms) {
  const priorities = { job: examplePriorities, computed: examplePriorities };
  const explained = explainExample(member, priorities, norms);
  const words = formatExplanation(explained, {
    reader: 'organisation',
    has_agreed: false,
    is_detailed: true,
  });
  return { match_tier: explained.match_quality, ...words };
}
