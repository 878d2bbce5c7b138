import { Type, type Static } from 'typebox';
import { closedObject, nullable, text, timestamp, uuid } from '#platform/schema.ts';
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
});

/** The five fields of a profile. */
export const profileFields = {
  current_industry: nullable(text(100)),
  years_experience: nullable(Type.Integer({ minimum: 0, maximum: 80 })),
  education_level: nullable(Type.Enum(educationLevels)),
  location_country: nullable(
    Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2, such as AU.' }),
  ),
  location_state: nullable(
    Type.String({ pattern: '^[A-Z0-9]{1,3}$', description: 'ISO 3166-2 without the country, such as NSW.' }),
  ),
};

/** The Member resource. Profile fields that the member has not filled in are null. */
export const memberWire = closedObject(
  {
    id: uuid,
    external_id: Type.String({ pattern: '^MBR-[0-9A-HJKMNP-TV-Z]{8}$' }),
    display_name: Type.String(),
    assessment_phase: Type.Enum(assessmentPhases),
    account_status: Type.Enum(accountStatuses),
    engagement_level: engagementLevelWire,
    created_at: timestamp,
    profile: closedObject(profileFields),
  },
  { $id: 'Member' },
);

export function toWire(member: Member): Static<typeof memberWire> {
  const { id, external_id, display_name, assessment_phase, account_status, created_at } = member;
  const { current_industry, years_experience, education_level, location_country, location_state } = member;
  return {
    id,
    external_id,
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
    name: Type.Enum(Object.values(levelNames)),
    missing: Type.Array(closedObject({ code: Type.Enum(conditionCodes), sentence: Type.String() })),
  },
  { $id: 'Engagement' },
);

export function toEngagementWire(facts: EngagementFacts): Static<typeof engagementWire> {
  const level = computeEngagementLevel(facts);
  const missing = listMissingConditions(facts).map((code) => ({ code, sentence: conditions[code].sentence }));
  return { engagement_level: level, name: levelNames[level], missing };
}
