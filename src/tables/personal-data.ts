import * as books from '#modules/income/books';
import * as reads from '#modules/income/reads';
import * as stubs from '#modules/income/stubs';
import * as archetypes from '#modules/measurement/archetypes';
import * as audit from '#modules/operations/audit';
import * as accounts from '#modules/access/accounts';
import * as candidates from '#modules/matching/candidates';
import * as consent from '#modules/people/consent';
import * as credentials from '#modules/credentials/credentials';
import * as agents from '#modules/access/agents';
import * as learning from '#modules/matching/learning';
import * as placements from '#modules/matching/placements';
import * as matches from '#modules/matching/matches';
import * as members from '#modules/people/members';
import * as notifications from '#modules/operations/notifications';
import * as orgUsers from '#modules/organisations/org-users';
import * as payments from '#modules/income/payments';
import * as reviews from '#modules/matching/reviews';
import * as rights from '#modules/people/rights';
import * as selfIdentification from '#modules/people/self-identification';
import * as traits from '#modules/measurement/traits';
import * as offers from '#modules/credentials/offers';
import * as wallets from '#modules/credentials/wallets';
import * as webhooks from '#modules/operations/webhooks';
import type { PersonalData } from '#platform/personal-data.ts';
import * as events from '#platform/queue/event-records.ts';
import * as tasks from '#platform/queue/tracked-tasks.ts';

/**
 * TABLE 8: the modules that hold personal data. A data export reads all of them. An erasure runs them in this order, so that no row is
 * deleted while another row still refers to it: the account follows the data that is found by its user, and the member is last.
 */
export const personalData: PersonalData = {
  rights: rights.personalData,
  wallets: wallets.personalData,
  offers: offers.personalData,
  credentials: credentials.personalData,
  notifications: notifications.personalData,
  reads: reads.personalData,
  stubs: stubs.personalData,
  reviews: reviews.personalData,
  learning: learning.personalData,
  feedback: placements.personalData,
  candidates: candidates.personalData,
  matching: matches.personalData,
  archetypes: archetypes.personalData,
  traits: traits.personalData,
  // The books stay, under an id that belongs to nobody.
  books: books.personalData,
  selfIdentification: selfIdentification.personalData,
  consent: consent.personalData,
  tasks,
  events,
  // After the events: the deliveries of an event are written under its lock.
  webhooks: webhooks.personalData,
  payments: payments.personalData,
  audit: audit.personalData,
  invitations: orgUsers.personalData,
  agents: agents.personalData,
  auth: accounts.personalData,
  members: members.personalData,
};
