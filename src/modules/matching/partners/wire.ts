import { Type } from 'typebox';
import { emailInput } from '#modules/access/accounts';
import { partners } from '#modules/matching/candidates';
import { closedObject, field, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';

/** Where each system's requests arrive, at the origin. */
export const greenhouse_path = '/partners/greenhouse';
export const ashby_path = '/partners/ashby';

/** The permissions of a service key that open all requests of a system. */
export const greenhouse_permission = `PARTNER ${greenhouse_path}`;
export const ashby_permission = `PARTNER ${ashby_path}`;

export const partnerName = field(
  Type.Enum(partners),
  'The applicant tracking system: `greenhouse` or `ashby`.',
  'greenhouse',
);

export const originField = field(
  Type.String({ minLength: 8, maxLength: 300 }),
  'Where the system takes results. Only URLs of this origin are called.',
  'https://app.greenhouse.io',
);

/** A connection, as the organisation reads it. The key leaves in no reply. */
export const connectionWire = closedObject(
  { partner: partnerName, origin: originField, created_at: timestamp, updated_at: timestamp },
  { $id: 'PartnerConnection' },
);

const invitation_sample = '1b7c9d3e-5f20-4a86-b1d4-8e6f0a2c4b59';

export const orderId = field(uuid, 'The order, which is the invitation of the person.', invitation_sample);
export const testId = field(uuid, 'What is sent: a job of the organisation.', sampleIds.job);
export const candidateEmail = emailInput;

export const callbackUrl = field(
  Type.String({ minLength: 8, maxLength: 2_000 }),
  'Where the system takes notice that the status has changed.',
  'https://app.greenhouse.io/integrations/testing_partners/take_home_tests/12345',
);

export const partnerText = field(
  Type.String({ minLength: 1, maxLength: 200 }),
  'The application, as Ashby names it.',
  '5a3c1e7f-9b2d-4f60-8c14-7e0d6b8a2f35',
);

export const succeeded = Type.Literal(true);

/** What Ashby reads about an assessment that was started or cancelled. */
export const assessmentWire = closedObject({
  success: succeeded,
  results: closedObject({ assessment_id: orderId }),
});
