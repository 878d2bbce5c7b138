export { memberChanged, memberDeployed, memberUndeployed } from './events.ts';
export {
  noteAssessmentPhase,
  noteConsent,
  noteDeletionRequested,
  noteEmailVerified,
  noteSuspension,
} from './facts.ts';
export { erase, exportOf } from './personal-data.ts';
export { readEngagement } from './read-engagement.ts';
export { readMember } from './read-member.ts';
export { educationLevels, engagementLevel, type Member } from './rules.ts';
export { findMember, insertMember, lockMember } from './store.ts';
export { insertDeployedMembers, type NewDeployedMember } from './store-bulk.ts';
export { updateProfile } from './update-profile.ts';
