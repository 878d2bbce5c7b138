export { readMemberWaiting } from './read-member-waiting.ts';
export { readOrganisationWaiting } from './read-organisation-waiting.ts';
