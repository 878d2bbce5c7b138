import { Type } from 'typebox';
import { formatExternalId } from '#lib/external-id.ts';
import { computed, fixed, maintained, resource, type Row } from '#platform/resource.ts';
import { closedObject, field, timestamp, toReply, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { accountStatuses, assessmentPhases, computeEngagementLevel } from './engagement.ts';
import { profileFields, type Profile } from './profile-fields.ts';

export const engagementLevel = Type.Integer({
  minimum: 1,
  maximum: 4,
  description: '1 Explorer, 2 Learner, 3 Augmented, 4 Deployed.',
  examples: [4],
});

const profile = closedObject(profileFields);
const hiddenFact = { hidden: true, default: false } as const;
const hiddenAnswer = { hidden: true, default: null } as const;

/** A person who is measured, matched with jobs and paid. */
export const memberResource = resource(
  { table: 'members', $id: 'Member' },
  {
    id: fixed(field(uuid, 'The id of the member.', sampleIds.member)),
    external_id: computed(
      field(
        Type.String({ pattern: '^MBR-[0-9A-HJKMNP-TV-Z]{8}$' }),
        'A short id for people.',
        'MBR-4H8T2WNC',
      ),
      ({ id }: { id: string }) => formatExternalId('MBR', id),
    ),
    display_name: fixed(Type.String()),
    assessment_phase: maintained(
      field(Type.Enum(assessmentPhases), 'How far the assessment has come.', 'complete'),
      { default: 'not_started' },
    ),
    account_status: maintained(
      field(Type.Enum(accountStatuses), 'Whether the account can be used.', 'active'),
      { default: 'active' },
    ),
    engagement_level: computed(engagementLevel, computeEngagementLevel),
    created_at: fixed(timestamp, { as: 'time' }),
    profile: computed(
      field(profile, 'What the member says about their work. Unknown fields are null.'),
      (row: Profile) => toReply(profile, row),
    ),
    email_verified: maintained(Type.Boolean(), hiddenFact),
    assessment_consented: maintained(Type.Boolean(), hiddenFact),
    matching_consented: maintained(Type.Boolean(), hiddenFact),
    current_industry: maintained(profileFields.current_industry, hiddenAnswer),
    years_experience: maintained(profileFields.years_experience, hiddenAnswer),
    education_level: maintained(profileFields.education_level, hiddenAnswer),
    location_country: maintained(profileFields.location_country, hiddenAnswer),
    location_state: maintained(profileFields.location_state, hiddenAnswer),
    /** Whether the member is a stub: prepared from observations, and claimed by nobody yet. */
    is_unclaimed: fixed(Type.Boolean(), hiddenFact),
  },
);

export type Member = Row<typeof memberResource>;
