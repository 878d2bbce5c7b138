import * as archetypes from '#modules/archetypes';
import * as audit from '#modules/audit';
import * as auth from '#modules/auth';
import * as consent from '#modules/consent';
import * as credentials from '#modules/credentials';
import * as orgUsers from '#modules/org-users';
import * as matching from '#modules/matching';
import * as members from '#modules/members';
import * as rights from '#modules/rights';
import * as traits from '#modules/traits';
import * as wallets from '#modules/wallets';
import * as events from '#platform/queue/event-records.ts';
import * as tasks from '#platform/queue/tracked-tasks.ts';
import type { PersonalData } from '#platform/personal-data.ts';

/**
 * TABLE 6: who holds personal data. A copy asks each of them; erasure goes through them from the top, so that nothing is deleted while
 * something else still points at it: the account after what is found by its user, the member last of all.
 */
export const personalData: PersonalData = {
  rights,
  wallets,
  credentials,
  matching,
  archetypes,
  traits,
  consent,
  tasks,
  events,
  audit,
  invitations: orgUsers,
  auth,
  members,
};
