export { removeAnswers, removeUnofferedAnswers } from './remove-answers.ts';
export { personalData } from './personal-data.ts';
export { readSelfIdentification } from './read-self-identification.ts';
export { readJurisdictions } from './jurisdictions.ts';
export {
  identityAnswers,
  identityAttributes,
  identityChoices,
  openQuestions,
  type IdentityAttribute,
} from './rules.ts';
export { setSelfIdentification } from './set-self-identification.ts';
export { listConsentedAnswers, listMembersWithAnswers } from './store.ts';
