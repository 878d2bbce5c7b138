import { Type } from 'typebox';
import { nil_uuid } from '#lib/nil-uuid.ts';
import { matchQualities } from '#modules/matching/engine';
import type { JobConstraints } from '#modules/matching/jobs';
import {
  loadTraitNorms,
  measureExample,
  traitCodes,
  type TraitPriorities,
} from '#modules/measurement/traits';
import { operation } from '#platform/operation.ts';
import { closedObject, field, uuid } from '#platform/schema.ts';
import { listRequirements, type MemberFacts } from '../contact/rules.ts';
import { requirementsWire, toRequirementsWire } from '../contact/wire.ts';
import { applyPolicy } from '../policies/rules.ts';
import { findLivePolicy } from '../policies/store.ts';
import { explanationWire } from '../wire.ts';
import { explainExample } from './explain-example.ts';
import { formatExplanation, type ExplanationReader } from './explanation-words.ts';

const job = { title: 'Neighbourhood care coordinator', organisation_name: 'Harbour Health' } as const;

const trait_priorities: TraitPriorities = {
  empathic_attunement: 0.9,
  collaborative_orientation: 0.8,
  purpose_orientation: 0.7,
  pressure_response: 0.5,
  change_agility: 0.5,
};

const constraints: JobConstraints = {
  location_countries: ['AU'],
  years_experience_min: 2,
  education_level_min: 'diploma',
};

const person = {
  name: 'Mira Holm',
  email: 'mira.holm@example.org',
  note: 'Please call after five in the afternoon.',
} as const;

const facts: MemberFacts = {
  location_country: 'AU',
  location_state: 'NSW',
  years_experience: 6,
  education_level: 'bachelors',
  clearance_held: 'none',
};

/** Nobody has this id. The letters of the person's handle follow from it. */
const member_id = '00000000-0000-8000-8000-000000047f13';

const { match_id: _match, ...explanationFields } = explanationWire.properties;
const { match_id: _none, ...requirementFields } = requirementsWire.properties;
const explained = closedObject(explanationFields, {
  $id: 'ExampleExplanation',
  description: 'The reasons of the match in words, as one of its readers reads them.',
});

export const readExampleMatch = operation({
  name: 'matches.readExampleMatch',
  title: 'Read a match of a fictional person',
  summary:
    'Returns what both sides of a match read, for a person who does not exist and an example job: the member’s reasons, and those of the organisation before and after both have agreed. Computed as for members, with the policy in use.',
  who: 'anyone',
  input: Type.Object({}),
  output: {
    200: closedObject({
      member_id: field(
        uuid,
        'The id by which the organisation would know the person before both agree.',
        member_id,
      ),
      person: field(
        closedObject({
          name: field(Type.String(), 'The name of the fictional person.', person.name),
          email: field(Type.String(), 'Their address, which nobody has.', person.email),
          note: field(Type.String(), 'What they want the organisation to know.', person.note),
        }),
        'What the organisation reads of the person once both have agreed.',
      ),
      job: field(
        closedObject({
          title: field(Type.String(), 'The title of the example job.', job.title),
          organisation_name: field(
            Type.String(),
            'The organisation, which does not exist.',
            job.organisation_name,
          ),
          asks: field(
            Type.Array(Type.Enum([...traitCodes])),
            'The traits that it asks for, the most important first.',
            ['empathic_attunement', 'collaborative_orientation'],
          ),
        }),
        'The example job.',
      ),
      match_tier: field(Type.Enum(matchQualities), 'How well the person fits the job.', 'strong'),
      member: explained,
      organisation_before: explained,
      organisation_after: explained,
      ...requirementFields,
    }),
  },
  run: async (context) => {
    const { database } = context;
    const [measured, policy] = await Promise.all([
      measureExample(context, database),
      findLivePolicy(database),
    ]);
    const norms = await loadTraitNorms(context, database, measured.parameter_version);
    const computed = applyPolicy(policy, { trait_priorities, occupation_code: null });
    const { provisional, latent } = measured;
    const match = explainExample(
      { member_id, ...latent, provisional },
      { job: trait_priorities, computed },
      norms,
    );
    // The example is the one job in which an organisation reads about a person in detail.
    const is_detailed = true;
    const explainTo = (reader: ExplanationReader) => formatExplanation(match, reader);
    const { match_id: _id, ...required } = toRequirementsWire(
      nil_uuid,
      listRequirements({ clearance_required: 'none', constraints }, facts),
    );
    return {
      member_id,
      person,
      job: { ...job, asks: listAsked() },
      match_tier: match.match_quality,
      member: explainTo({ reader: 'member', has_agreed: true, is_detailed }),
      organisation_before: explainTo({ reader: 'organisation', has_agreed: false, is_detailed }),
      organisation_after: explainTo({ reader: 'organisation', has_agreed: true, is_detailed }),
      ...required,
    };
  },
});

function listAsked() {
  const asked = traitCodes.filter((code) => trait_priorities[code] !== undefined);
  return asked.toSorted((one, other) => trait_priorities[other]! - trait_priorities[one]!);
}
