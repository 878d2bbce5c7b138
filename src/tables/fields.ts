import type { ApiTexts } from '#platform/openapi/api-texts.ts';
import { sampleIds, sampleTokens } from '#platform/schema-samples.ts';

/** What the service does, in a sentence. */
const description =
  'Tessera measures people fairly, matches them with work, and issues credentials that anyone can verify. The API is a preview: endpoints may change without notice.';

/** What the endpoints below the first part of a path are about. */
const tags: ApiTexts['tags'] = {
  auth: 'Accounts: registration, login, sessions, passwords, MFA and single sign-on.',
  orgs: 'Organisations: their jobs, users, culture profile and single sign-on.',
  matches: 'Matches of members and jobs, from their computation to their outcome.',
  members: 'The member who is logged in: profile, assessment, consent, matches and data rights.',
  'first-mirror': 'A first look at oneself, without an account.',
  volunteers: 'Answers for science, without an account, if the operator asks for them.',
  invitations: 'Answering an invitation to a job by the link in the email.',
  identity: 'Claiming an identity that someone else prepared.',
  credentials: 'Signed credentials: issuing, verifying, revoking, and transfer to a wallet.',
  exports: 'Files with everything that is stored about a member or an organisation.',
  marketplace: 'Sales of identity data, and earnings from them.',
  'service-keys': 'Keys by which programs of an organisation call the API.',
  webhooks: 'Messages to your server when something happens.',
  'consent-texts': 'The texts that members agree to.',
  taxonomy: 'The traits and archetypes, with their meanings.',
  'job-templates': 'Occupations to start a job from.',
  tasks: 'Background tasks.',
  sandbox: 'A service for trying programs: made-up people, and a clock that can be advanced.',
  'audit-log': 'Who did what, and when.',
  operator:
    'Running the service: accounts, organisations, background tasks, keys and health. For platform administrators.',
};

/**
 * Fields that mean the same wherever they appear. Every other field is described where its schema is, by `field` or by its `description`,
 * and that description takes precedence over this table.
 */
const fields: ApiTexts['fields'] = {
  // Ids
  member_id: ['The id of the member.', sampleIds.member],
  user_id: ['The id of the user.', sampleIds.colleague],
  actor_user_id: ['The id of the user who acted.', sampleIds.user],
  org_id: ['The id of the organisation.', sampleIds.organisation],
  job_id: ['The id of the job.', sampleIds.job],
  match_id: ['The id of the match.', sampleIds.match],
  task_id: ['The id of the background task.', sampleIds.task],
  credential_id: ['The id of the credential.', sampleIds.credential],
  session_id: ['The id of the session.', sampleIds.session],
  passkey_id: ['The id of the passkey.', sampleIds.passkey],
  list_id: ['The id of the status list, from the credentialStatus of a credential.', sampleIds.list],
  assessment_id: ['The id of the assessment.', sampleIds.assessment],
  claim_code: ['The code of the invitation to claim an identity.', 'K7M2-Q9XD'],
  transaction_id: ['The id of the transaction.', 'a9b8c7d6-5e4f-4a3b-8c2d-1e0f9a8b7c6d'],
  subscription_id: ['The id of the webhook subscription.', 'f0e1d2c3-b4a5-4968-8776-655443322110'],
  board_id: ['The id of the followed board.', '0f6f3a52-6d0e-4b1c-9a77-2f1c5e8d4b90'],
  group_id: ['The id of a group of the directory.', '3c9a1f70-5b2e-4d86-8f14-a07d6e2b9c53'],
  change_id: ['The id of change of a followed board.', '7d1f5c0a-3b52-4f0e-8a6d-9c2e4b7f1a35'],
  linked_entity_id: [
    'The member or the organisation that the user acts for; null for a platform administrator.',
    sampleIds.member,
  ],

  // Times
  created_at: ['When it was created.', '2026-03-02T09:00:00.000Z'],
  updated_at: ['When it last changed.', '2026-03-04T14:30:00.000Z'],
  computed_at: ['When it was computed.', '2026-03-03T08:15:00.000Z'],
  issued_at: ['When the credential was issued.', '2026-03-05T10:20:00.000Z'],
  expires_at: ['When it expires.', '2027-03-05T10:20:00.000Z'],
  revoked_at: ['When the credential was revoked; null if it was not.', null],
  last_login: ['When the user last logged in.', '2026-03-09T07:45:00.000Z'],

  // Lists
  data: ['The rows of this page.'],
  pagination: ['Where this page is in the list.'],
  next_cursor: ['The cursor of the next page; null on the last page.', 'eyJ2IjoxLCJrIjoiMjAyNiJ9'],
  has_more: ['Whether there is a next page.', true],

  // Accounts
  email: ['An email address. Upper and lower case do not matter.', 'ada.lind@example.org'],
  password: ['The password of the account.', 'Correct-Horse-9'],
  new_password: [
    'At least twelve characters with an upper-case and a lower-case letter, a digit and a special character.',
    'Better-Battery-7-Staple',
  ],
  display_name: ['The name that others see.', 'Ada Lind'],
  role: ['What the user may do.', 'member'],
  access_token: ['Send it as `Authorization: Bearer …`. Treat it as opaque.', sampleTokens.access],
  token_type: ['How to send the access token.', 'Bearer'],
  expires_in: ['Lifetime of the access token in seconds.', 21_600],
  user: ['The user who is now logged in.'],
  verification_email_sent: ['Whether a mail with a link that verifies the address is on its way.', true],
  message: ['A sentence for the user.', 'If this address has an account, a mail with a link is on its way.'],

  // Work
  title: ['The title of the job.', 'Water quality analyst'],
  job_title: ['The title of the job.', 'Water quality analyst'],
  outcome_description: [
    'What is different once the work is done.',
    'The council knows within a day when the quality of a river changes, and why.',
  ],
  trait_priorities: [
    'The importance of each MVP-20 trait, from 0 to 1, by trait code. Traits that are not named do not matter.',
    { analytical_depth: 0.9, persistence: 0.7, sincerity: 0.5 },
  ],
  trait_name: ['The code of an MVP-20 trait.', 'analytical_depth'],
  clearance_required: ['The security clearance that the job needs.', 'none'],
  remote_policy: ['Where the work is done.', 'hybrid'],
  salary_min: ['The lowest salary per year, in whole units of the currency; null if not stated.', 92_000],
  salary_max: ['The highest salary per year, in whole units of the currency; null if not stated.', 110_000],
  salary_currency: ['ISO 4217 code; null if no salary is stated.', 'AUD'],
  match_quality: [
    'How well the member fits the job. The numbers behind it never leave the service.',
    'strong',
  ],
  result: ['What the organisation has read. Only in the reply to its purchase.'],
  match_status: ['Where the match is in its life.', 'org_interested'],
  quality: ['Only matches of this quality.', 'strong'],

  industry: ['The industry that the organisation works in.', 'Water supply'],
  size: ['How large the organisation is.', 'small'],
  headquarters_country: ['The country of the headquarters: ISO 3166-1 alpha-2, such as AU.', 'AU'],
  website: ['An https URL.', 'https://rivermurraytrust.example'],

  // People
  archetype: ['The code of the archetype.', 'compass'],
  archetype_family: ['The family of the archetype.', 'wayfinding'],
  consent_type: ['What the member decides on.', 'matching'],
  granted: ['Whether the member consents.', true],
  consent_level: ['How much identity data the member lets others pay for.', 'selective'],
  questionnaire_version: ['The version of the questionnaire.', '1.0'],
  clan: ['Weight of the quadrant Clan: a workplace like a family.', 40],
  adhocracy: ['Weight of the quadrant Adhocracy: a workplace that tries new things.', 30],
  market: ['Weight of the quadrant Market: a workplace that competes.', 10],
  hierarchy: ['Weight of the quadrant Hierarchy: a workplace with clear rules.', 20],

  // Credentials
  credential_type: ['What the credential is about.', 'trait_attestation'],
  attestation_tier: ['Who vouches for the content.', 'self_attested'],
  claims: ['What the credential says. Which claims it may have depends on its type.'],
  credential_offer: ['The offer, for a wallet that does not fetch it.'],
  visibility: ['Whether everyone who knows the id may see the content, or only the member.', 'private'],
};

/** TABLE 11: what the API reference and the schemas of tools say about the service, its groups of endpoints, and the fields that mean the same everywhere. */
export const apiTexts: ApiTexts = {
  description,
  tags,
  fields,
  problem: { code: 'job_not_found', instance: '/api/v1/orgs/me/jobs' },
};
