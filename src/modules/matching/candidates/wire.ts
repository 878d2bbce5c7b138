import { Type, type Static } from 'typebox';
import { metadataFields, referenceText } from '#modules/matching/jobs';
import { closedObject, field, nullable, timestamp, uuid } from '#platform/schema.ts';
import { sampleTokens } from '#platform/schema-samples.ts';
import { decisions, invitationStates, partners } from './rules.ts';

export const invitationId = field(uuid, 'The id of the invitation.', '1b7c9d3e-5f20-4a86-b1d4-8e6f0a2c4b59');

export const invitationStatus = field(
  Type.Enum(invitationStates),
  'What became of the invitation: `sent` until it is answered or expires, `accepted` if the person takes part, `declined`, `withdrawn` if they no longer take part, `expired`, or `cancelled` by the organisation. Nothing else is recorded, neither that an email was opened nor whether its address has an account.',
  'sent',
);

const sampleTime = '2026-03-02T09:00:00.000Z';
const expires_at = field(timestamp, 'Until when it can be answered.', '2026-03-16T09:00:00.000Z');

/** An invitation, as the organisation reads it. */
export const invitationWire = closedObject(
  {
    id: invitationId,
    job_id: uuid,
    email: field(
      nullable(Type.String()),
      'The address that was invited; null once it was deleted: when the invitation is declined, withdrawn or cancelled, or has expired.',
      'ada.lind@example.org',
    ),
    status: invitationStatus,
    created_at: timestamp,
    sent_at: field(timestamp, 'When the last email about it was sent.', sampleTime),
    expires_at,
    updated_at: timestamp,
    external_ref: nullable(referenceText),
    metadata: metadataFields,
    partner: field(
      nullable(Type.Enum(partners)),
      'The applicant tracking system that asked for the invitation; null for one of your own.',
      null,
    ),
  },
  { $id: 'CandidateInvitation' },
);

/** An invitation, as the person reads it. */
export const receivedInvitationWire = closedObject(
  {
    id: invitationId,
    organisation_name: field(Type.String(), 'The organisation that invites.', 'River Murray Trust'),
    organisation_domain: field(
      nullable(Type.String()),
      'An internet domain that the organisation has proven to be its own; null if it has proven none. Anyone can choose a name.',
      'rivermurraytrust.example',
    ),
    job_title: Type.String(),
    outcome_description: Type.String(),
    job_is_open: field(
      Type.Boolean(),
      'Whether the job is active. Otherwise the invitation can only be declined.',
      true,
    ),
    status: invitationStatus,
    expires_at,
    updated_at: timestamp,
    partner: field(
      nullable(Type.Enum(partners)),
      'The applicant tracking system of the organisation that gets the tier of your match with this job, in words, and a link to it, if you take part; null for none. When you no longer take part, or no longer agree to matching, the result is recalled there.',
      null,
    ),
  },
  { $id: 'ReceivedInvitation' },
);

export type ReceivedInvitation = Static<typeof receivedInvitationWire>;

/** The token of the emailed link. */
export const tokenInput = field(
  Type.String({ maxLength: 200 }),
  'The token of the link in the invitation.',
  sampleTokens.mail,
);

export const decisionInput = field(
  Type.Enum(decisions),
  'The answer: take part, or do not, or no longer. `stop` declines, and no further invitation of this organisation is sent to the address.',
  'accept',
);
