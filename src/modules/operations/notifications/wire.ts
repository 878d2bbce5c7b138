import { Type } from 'typebox';
import { closedObject, toReply } from '#platform/schema.ts';
import { frequencies, occasions, summaries, type Settings } from './rules.ts';

const buildFrequencySchema = (about: string) =>
  Type.Enum(frequencies, {
    description: `When to email ${about}: immediately, in a weekly digest on Monday, or never.`,
    examples: ['weekly'],
  });

const feedback_open = buildFrequencySchema('that feedback on a placement is open');

const data_read = buildFrequencySchema(
  'that an organisation read identity data; immediately is at most once an hour',
);

const buildOccasionSchema = (about: string) =>
  Type.Enum(occasions, {
    description: `Whether to email ${about}: immediately or never.`,
    examples: ['immediately'],
  });

const assessmentFields = {
  results_ready: buildOccasionSchema(
    'that results are ready; it is sent an hour after a stage, unless the member had the pages open',
  ),
  assessment_unfinished: buildOccasionSchema(
    'once, three days after its start, that an assessment is unfinished',
  ),
};

const credentialFields = {
  credential_offered: buildOccasionSchema('that a credential is offered, which the member can accept'),
  credential_revoked: buildOccasionSchema('that an organisation has revoked a credential of the member'),
};

const summaryFields = {
  matches_found: Type.Enum(summaries, {
    description:
      'Whether to email on Monday which jobs of the week fit exceptionally or strongly, if there are any: weekly or never.',
    examples: ['weekly'],
  }),
};

const memberFields = { match_proposed: buildFrequencySchema('that an organisation is interested') };

const userFields = {
  match_accepted: buildFrequencySchema('that a member accepted a match with a job that you follow'),
  match_declined: buildFrequencySchema('that a member declined a match with a job that you follow'),
};

/** What a member is emailed about. */
export const memberSettingsWire = closedObject(
  { ...memberFields, feedback_open, data_read, ...assessmentFields, ...credentialFields, ...summaryFields },
  { $id: 'MemberNotifications' },
);

/** A setting that was added later keeps its value if it is left out. */
const addedFields = { feedback_open: Type.Optional(feedback_open) };

export const memberSettingsInput = Type.Object({
  ...memberFields,
  ...addedFields,
  data_read: Type.Optional(data_read),
  results_ready: Type.Optional(assessmentFields.results_ready),
  assessment_unfinished: Type.Optional(assessmentFields.assessment_unfinished),
  credential_offered: Type.Optional(credentialFields.credential_offered),
  credential_revoked: Type.Optional(credentialFields.credential_revoked),
  matches_found: Type.Optional(summaryFields.matches_found),
});

/** What a user of an organisation is emailed about. */
export const userSettingsWire = closedObject(
  { ...userFields, feedback_open },
  { $id: 'OrganisationNotifications' },
);

export const userSettingsInput = Type.Object({ ...userFields, ...addedFields });

export function toMemberWire(settings: Settings) {
  return toReply(memberSettingsWire, settings);
}

export function toUserWire(settings: Settings) {
  return toReply(userSettingsWire, settings);
}
