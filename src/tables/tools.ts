import * as books from '#modules/income/books';
import * as reads from '#modules/income/reads';
import * as stubs from '#modules/income/stubs';
import * as archetypes from '#modules/measurement/archetypes';
import * as consent from '#modules/people/consent';
import * as offers from '#modules/credentials/offers';
import * as credentials from '#modules/credentials/credentials';
import * as jobs from '#modules/matching/jobs';
import * as impact from '#modules/matching/impact';
import * as matches from '#modules/matching/matches';
import * as members from '#modules/people/members';
import * as rights from '#modules/people/rights';
import * as traits from '#modules/measurement/traits';
import { tool, type ToolRow } from '#platform/mcp/tool-row.ts';

/** What the server says about itself to the model that uses it. */
export const instructions = `Tessera holds what people have chosen to be known by (traits, an archetype, credentials), matches them with jobs, and pays them when an organisation reads about them.
You act for the person who logged in, within what they allowed; they see every call and can end it at any time.
A member usually starts with read_profile, then next_assessment_item and answer_assessment_item (ask the person each question in its exact words; never answer for them), then read_archetype and list_matches.
An organisation usually starts with search_job_templates, preview_job_impact and create_job, then list_job_matches, explain_match and set_match_status. The query_ tools cost money: call them without a payment to learn the price.
Matches and reads have labels instead of numbers; do not turn them into scores. Ask the person before you give consent, respond to a match, issue or revoke a credential, or spend money.
A refused call says in what_to_do what would help.`;

/**
 * TABLE 4: the tools of the MCP endpoint, in the order in which tools/list and the consent page show them. The operation declares the tool: who
 * may allow it to an agent, and what a model reads about it.
 */
export const toolRows: readonly ToolRow[] = [
  // For everybody
  tool('list_traits', traits.readTaxonomy),
  tool('list_archetypes', archetypes.listArchetypes),
  tool('verify_attestation', credentials.verifyAttestation),
  tool('create_identity_stub', stubs.createStub),
  tool('add_stub_observations', stubs.addStubObservations),
  tool('read_identity_stub', stubs.readStub),
  // For members
  tool('read_profile', members.readMember),
  tool('update_profile', members.updateProfile),
  tool('read_traits', traits.readTraits),
  tool('read_archetype', archetypes.readArchetype),
  tool('next_assessment_item', traits.startAssessment),
  tool('answer_assessment_item', traits.answerItem),
  tool('list_matches', matches.listMemberMatches),
  tool('explain_match', matches.readExplanation),
  tool('respond_to_match', matches.respondToMatch),
  tool('read_consent', consent.readConsent),
  tool('set_consent', consent.recordConsent),
  tool('list_credentials', credentials.listCredentials),
  tool('issue_credential', credentials.issueCredential),
  tool('revoke_credential', credentials.revokeCredential),
  tool('list_credential_offers', offers.listOffers),
  tool('answer_credential_offer', offers.answerOffer),
  tool('read_earnings', books.readEarnings),
  tool('read_legibility', reads.readLegibility),
  tool('request_data_export', rights.startDataExport),
  // For organisations
  tool('list_jobs', jobs.listJobs),
  tool('preview_job_impact', impact.previewImpact),
  tool('create_job', jobs.createJob),
  tool('list_job_matches', matches.listJobMatches),
  tool('set_match_status', matches.setMatchStatus),
  tool('offer_credential', offers.offerCredential),
  tool('search_job_templates', jobs.searchTemplates),
  // Paid, for organisations
  tool('query_archetype', reads.createRead),
  tool('query_trait_profile', reads.createRead),
  tool('query_values_profile', reads.createRead),
  tool('query_alignment', reads.createRead),
];
