import * as archetypes from '#modules/archetypes';
import * as audit from '#modules/audit';
import * as auth from '#modules/auth';
import * as consent from '#modules/consent';
import * as credentials from '#modules/credentials';
import * as earnings from '#modules/earnings';
import * as grants from '#modules/grants';
import * as identity from '#modules/identity';
import * as learning from '#modules/learning';
import * as marketplace from '#modules/marketplace';
import * as feedback from '#modules/feedback';
import * as matching from '#modules/matching';
import * as members from '#modules/members';
import * as oauth from '#modules/oauth';
import * as notifications from '#modules/notifications';
import * as orgUsers from '#modules/org-users';
import * as payments from '#modules/payments';
import * as queries from '#modules/queries';
import * as reviews from '#modules/reviews';
import * as rights from '#modules/rights';
import * as selfIdentification from '#modules/self-identification';
import * as traits from '#modules/traits';
import * as wallets from '#modules/wallets';
import * as webhooks from '#modules/webhooks';
import type { PersonalData } from '#platform/personal-data.ts';
import * as events from '#platform/queue/event-records.ts';
import * as tasks from '#platform/queue/tracked-tasks.ts';

/**
 * TABLE 8: the modules that hold personal data. A data export reads all of them. An erasure runs them in this order, so that no row is
 * deleted while another row still refers to it: the account follows the data that is found by its user, and the member is last.
 */
export const personalData: PersonalData = {
  rights,
  wallets,
  credentials,
  notifications,
  queries,
  identity,
  marketplace,
  reviews,
  learning,
  feedback,
  matching,
  archetypes,
  traits,
  // The books stay, under an id that belongs to nobody.
  earnings,
  selfIdentification,
  consent,
  tasks,
  events,
  // After the events: the deliveries of an event are written under its lock.
  webhooks,
  payments,
  audit,
  oauth,
  invitations: orgUsers,
  grants,
  auth,
  members,
};
