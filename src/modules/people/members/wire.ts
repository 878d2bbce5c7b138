import { Type, type Static } from 'typebox';
import { formatExternalId } from '#lib/external-id.ts';
import { closedObject, field, nullable, text, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import {
  accountStatuses,
  assessmentPhases,
  conditionCodes,
  conditions,
  educationLevels,
  computeEngagementLevel,
  levelNames,
  listMissingConditions,
  type EngagementFacts,
  type Member,
} from './rules.ts';

const engagementLevelWire = Type.Integer({
  minimum: 1,
  maximum: 4,
  description: '1 Explorer, 2 Learner, 3 Augmented, 4 Deployed.',
  examples: [4],
});

export const profileFields = {
  current_industry: field(nullable(text(100)), 'The industry that you work in.', 'Water supply'),
  years_experience: field(
    nullable(Type.Integer({ minimum: 0, maximum: 80 })),
    'Years of work experience.',
    7,
  ),
  education_level: field(nullable(Type.Enum(educationLevels)), 'The highest completed level.', 'bachelors'),
  location_country: nullable(
    Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2, such as AU.', examples: ['AU'] }),
  ),
  location_state: nullable(
    Type.String({
      pattern: '^[A-Z0-9]{1,3}$',
      description: 'ISO 3166-2 without the country, such as NSW.',
      examples: ['NSW'],
    }),
  ),
};

/** The Member resource. Profile fields that the member has not filled in are null. */
export const memberWire = closedObject(
  {
    id: field(uuid, 'The id of the member.', sampleIds.member),
    external_id: field(
      Type.String({ pattern: '^MBR-[0-9A-HJKMNP-TV-Z]{8}$' }),
      'A short id for people.',
      'MBR-4H8T2WNC',
    ),
    display_name: Type.String(),
    assessment_phase: field(Type.Enum(assessmentPhases), 'How far the assessment has come.', 'complete'),
    account_status: field(Type.Enum(accountStatuses), 'Whether the account can be used.', 'active'),
    engagement_level: engagementLevelWire,
    created_at: timestamp,
    profile: field(
      closedObject(profileFields),
      'What the member says about their work. Unknown fields are null.',
    ),
  },
  { $id: 'Member' },
);

export function toWire(member: Member): Static<typeof memberWire> {
  const { id, display_name, assessment_phase, account_status, created_at } = member;
  const { current_industry, years_experience, education_level, location_country, location_state } = member;
  return {
    id,
    external_id: formatExternalId('MBR', id),
    display_name,
    assessment_phase,
    account_status,
    engagement_level: computeEngagementLevel(member),
    created_at: created_at.toISOString(),
    profile: { current_industry, years_experience, education_level, location_country, location_state },
  };
}

/** The engagement level, and what is missing for the next one; nothing at level 4. */
export const engagementWire = closedObject(
  {
    engagement_level: engagementLevelWire,
    name: field(Type.Enum(Object.values(levelNames)), 'The name of the level.', 'Deployed'),
    missing: field(
      Type.Array(
        closedObject({
          code: field(Type.Enum(conditionCodes), 'The code of the condition.', 'email_verified'),
          sentence: field(Type.String(), 'What to do, for the member.', conditions.email_verified.sentence),
        }),
      ),
      'What is missing for the next level.',
    ),
  },
  { $id: 'Engagement' },
);

export function toEngagementWire(facts: EngagementFacts): Static<typeof engagementWire> {
  const level = computeEngagementLevel(facts);
  const missing = listMissingConditions(facts).map((code) => ({ code, sentence: conditions[code].sentence }));
  return { engagement_level: level, name: levelNames[level], missing };
}
