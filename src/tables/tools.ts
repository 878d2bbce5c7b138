import * as archetypes from '#modules/measurement/archetypes';
import * as consent from '#modules/people/consent';
import * as credentials from '#modules/credentials/credentials';
import * as earnings from '#modules/income/earnings';
import * as identity from '#modules/income/identity';
import * as jobs from '#modules/matching/jobs';
import * as matches from '#modules/matching/matches';
import * as members from '#modules/people/members';
import * as queries from '#modules/income/queries';
import * as rights from '#modules/people/rights';
import * as traits from '#modules/measurement/traits';
import { agentTools, type ToolName } from '#lib/agent-tools.ts';
import type { ToolBinding, ToolRow } from '#platform/mcp/tool-row.ts';

/** What the server says about itself to the model that uses it. */
export const instructions = `Tessera holds what people have chosen to be known by (traits, an archetype, credentials), matches them with jobs, and pays them when an organisation reads about them.
You act for the person who logged in, within what they allowed; they see every call and can end it at any time.
A member usually starts with read_profile, then next_assessment_item and answer_assessment_item (ask the person each question in its exact words; never answer for them), then read_archetype and list_matches.
An organisation usually starts with search_job_templates and create_job, then list_job_matches, explain_match and set_match_status. The query_ tools cost money: call them without a payment to learn the price.
Matches and reads have labels instead of numbers; do not turn them into scores. Ask the person before you give consent, respond to a match, issue or revoke a credential, or spend money.
A refused call says in what_to_do what would help.`;

/**
 * TABLE 4: the tools of the MCP endpoint. A tool's name, scope, roles and consent sentence are in `src/lib/agent-tools.ts`; a row here has
 * its operation, whose schemas are the tool's schemas, and what a model reads about it.
 */
const bindings: Readonly<Record<ToolName, ToolBinding>> = {
  // For everybody
  list_traits: {
    operation: traits.readTaxonomy,
    description:
      'Lists the twenty traits of the MVP-20 taxonomy: code, family, meaning and, for categorical traits, their values. The codes are those of trait_priorities in create_job. The list rarely changes.',
  },
  list_archetypes: {
    operation: archetypes.listArchetypes,
    description:
      'Lists the twelve archetypes and their four families, with descriptions and the traits that are high and low in each. Use it to explain the result of read_archetype.',
  },
  verify_attestation: {
    operation: credentials.verifyAttestation,
    description:
      'Verifies a credential that somebody has shown: a compact attestation token, a vc+jwt or an SD-JWT VC. Returns whether it is valid, what it claims, and whether it is revoked or expired. Free, and without a login.',
  },
  create_identity_stub: {
    operation: identity.createStub,
    description:
      'Prepares an identity without an account from observations of a person who has agreed to it. Ask the person first; subject_agreed must be true. Returns a claim_code with which only the person can turn the identity into an account and collect what it earned: give it to them, and to nobody else.',
  },
  add_stub_observations: {
    operation: identity.addStubObservations,
    description:
      'Adds observations to an identity that create_identity_stub prepared, by its claim code. Returns how well the person is known now.',
  },
  read_identity_stub: {
    operation: identity.readStub,
    description:
      'Returns how well the person behind a claim code is known, how often organisations read the identity and what it has earned. It never says who the person is.',
  },

  // For members
  read_profile: {
    operation: members.readMember,
    description:
      'Returns the person’s member record: profile, assessment phase, account status and engagement level (1 Explorer to 4 Deployed). Call it first to see what is missing.',
  },
  update_profile: {
    operation: members.updateProfile,
    isDestructive: true,
    isIdempotent: true,
    description:
      'Replaces the person’s whole profile. A field that is left out becomes empty, so call read_profile first and send all fields that should stay.',
  },
  read_traits: {
    operation: traits.readTraits,
    description:
      'Returns the person’s own trait vector: a score between 0 and 1 with bounds and confidence for each trait, the latest or an earlier version. These numbers are for the person alone. Provisional scores are less certain.',
  },
  read_archetype: {
    operation: archetypes.readArchetype,
    description:
      'Returns the archetype that is closest to the person’s traits, how certain that is, and the alternatives. list_archetypes describes them.',
  },
  next_assessment_item: {
    operation: traits.startAssessment,
    isIdempotent: true,
    description:
      'Starts the person’s assessment or resumes it, and returns the progress and the current question as next_item, or null after the last one. Ask the question in its exact words with all its options. Use restart only if the person wants to begin again.',
  },
  answer_assessment_item: {
    operation: traits.answerItem,
    description:
      'Records the person’s own answer to the current question, and returns the next one. item_id is that of next_item; option is the index of the chosen option, from 0. Never choose for the person: invented answers are detected and make the result worthless.',
  },
  list_matches: {
    operation: matches.listMemberMatches,
    description:
      'Lists the jobs that the person matches, best tier first, with tier and status. Needs engagement level 4. For the reasons call explain_match; to answer an interested organisation call respond_to_match. Pass pagination.next_cursor as cursor for the next page.',
  },
  explain_match: {
    operation: matches.readExplanation,
    description:
      'Explains in words why a job and a person match: strengths, areas to grow, belonging and a summary. If the reply has a task_id instead, the explanation is being written: call again after a second.',
  },
  respond_to_match: {
    operation: matches.respondToMatch,
    isDestructive: true,
    isIdempotent: true,
    description:
      'Accepts or declines an organisation that is interested in the person. The decision is final, and accepting shows the person’s name and contact to the organisation: ask the person first.',
  },
  read_consent: {
    operation: consent.readConsent,
    description:
      'Returns which consents the person has given, and the resulting level from none to full. Many tools need a consent.',
  },
  set_consent: {
    operation: consent.recordConsent,
    isDestructive: true,
    isIdempotent: true,
    description:
      'Gives or withdraws one consent in the person’s name, with effect at once. Withdrawing may end matches and credentials that depend on it. Tell the person what the consent means and ask them before every call.',
  },
  list_credentials: {
    operation: credentials.listCredentials,
    description:
      'Lists the person’s credentials, newest first, with type, tier, status and times. Pass pagination.next_cursor as cursor for the next page.',
  },
  issue_credential: {
    operation: credentials.issueCredential,
    description:
      'Issues a self-attested credential about the person from what the service knows, such as the archetype, and returns it in three signed forms. Needs a verified email address and consent to credential_sharing. Members can issue only the tier self_attested.',
  },
  revoke_credential: {
    operation: credentials.revokeCredential,
    isDestructive: true,
    isIdempotent: true,
    description:
      'Revokes a credential for good: from then on it verifies as revoked everywhere. Ask the person first. credential_id is from list_credentials.',
  },
  read_earnings: {
    operation: earnings.readEarnings,
    description:
      'Returns what the person has earned from reads of their identity data: in total, pending, available and paid out, and from how many organisations. Amounts are in US dollars.',
  },
  read_legibility: {
    operation: earnings.readLegibility,
    description:
      'Returns how complete, confident and queryable the person’s identity is, the multiplier of the price of a read that follows, and what would raise it.',
  },
  request_data_export: {
    operation: rights.startDataExport,
    isIdempotent: true,
    description:
      'Starts an export of all data about the person, or returns the one in progress. The person downloads it in the console, under account and data; it is not sent to you.',
  },

  // For organisations
  list_jobs: {
    operation: jobs.listJobs,
    description:
      'Lists the jobs of the organisation, newest first, with their trait priorities. Pass pagination.next_cursor as cursor for the next page.',
  },
  create_job: {
    operation: jobs.createJob,
    description:
      'Creates an active job and starts computing its matches, which list_job_matches shows after some seconds. trait_priorities maps trait codes of list_traits to weights from 0 to 1; search_job_templates suggests weights by occupation.',
  },
  list_job_matches: {
    operation: matches.listJobMatches,
    description:
      'Lists the people who match a job, best tier first, under an alias. The order within a tier is random. job_id is from list_jobs. Real names are shown only after both sides have agreed. Pass pagination.next_cursor as cursor for the next page.',
  },
  set_match_status: {
    operation: matches.setMatchStatus,
    isDestructive: true,
    isIdempotent: true,
    description:
      'Records the organisation’s decision on a match: org_interested asks the person, org_passed declines, closed ends a match after both agreed. Ask the user before each decision about a person.',
  },
  search_job_templates: {
    operation: jobs.searchTemplates,
    description:
      'Searches trait priorities by occupation, which are based on evidence. Use the best result as trait_priorities of create_job.',
  },

  // Paid, for organisations
  query_archetype: {
    operation: queries.queryCredential,
    fixed: { data_type: 'archetype' },
    description: describeRead('the archetype'),
  },
  query_trait_profile: {
    operation: queries.queryCredential,
    fixed: { data_type: 'trait_profile' },
    description: describeRead('the tiers of the five trait families and the archetype'),
  },
  query_values_profile: {
    operation: queries.queryCredential,
    fixed: { data_type: 'values_profile' },
    description: describeRead('what kind of culture the person values'),
  },
  query_alignment: {
    operation: queries.queryCredential,
    fixed: { data_type: 'alignment' },
    description: describeRead('how the person’s values fit the culture profile of the organisation'),
  },
};

/** The tools in the order of the registry. */
export const toolRows: readonly ToolRow[] = agentTools.map((tool) => ({ ...bindings[tool.name], tool }));

function describeRead(what: string): string {
  return `Buys one read about one person: ${what}, in labels without numbers and under a pseudonym. member_id is that of list_job_matches. Uses the free allowance of the organisation while one is left; after that, a call without payment is refused with the price and how to pay (error -32000), and costs nothing. Three quarters of the price go to the person. The same payment sent again returns the same result.`;
}
