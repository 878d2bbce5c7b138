import { Type, type Static } from 'typebox';
import { closedObject } from '#platform/schema.ts';
import { frequencies, type Settings } from './rules.ts';

const buildFrequencySchema = (about: string) =>
  Type.Enum(frequencies, {
    description: `When to email ${about}: immediately, in a weekly digest on Monday, or never.`,
    examples: ['weekly'],
  });

const feedback_open = buildFrequencySchema('that feedback on a placement is open');

const data_read = buildFrequencySchema(
  'that an organisation read identity data; immediately is at most once an hour',
);

const memberFields = { match_proposed: buildFrequencySchema('that an organisation is interested') };

const userFields = {
  match_accepted: buildFrequencySchema('that a member accepted a match with a job that you follow'),
  match_declined: buildFrequencySchema('that a member declined a match with a job that you follow'),
};

/** What a member is emailed about. */
export const memberSettingsWire = closedObject(
  { ...memberFields, feedback_open, data_read },
  { $id: 'MemberNotifications' },
);

/** A setting that was added later keeps its value if it is left out. */
const addedFields = { feedback_open: Type.Optional(feedback_open) };

export const memberSettingsInput = Type.Object({
  ...memberFields,
  ...addedFields,
  data_read: Type.Optional(data_read),
});

/** What a user of an organisation is emailed about. */
export const userSettingsWire = closedObject(
  { ...userFields, feedback_open },
  { $id: 'OrganisationNotifications' },
);

export const userSettingsInput = Type.Object({ ...userFields, ...addedFields });

export function toMemberWire({
  match_proposed,
  feedback_open: feedback,
  data_read: reads,
}: Settings): Static<typeof memberSettingsWire> {
  return { match_proposed, feedback_open: feedback, data_read: reads };
}

export function toUserWire({
  match_accepted,
  match_declined,
  feedback_open: feedback,
}: Settings): Static<typeof userSettingsWire> {
  return { match_accepted, match_declined, feedback_open: feedback };
}
