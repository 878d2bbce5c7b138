export { memberChanged, memberDeployed, memberUndeployed } from './events.ts';
export {
  recordAssessmentPhase,
  recordConsentFact,
  recordDeletionRequest,
  recordEmailVerified,
  recordMemberSuspension,
} from './change-member.ts';
export { erasePersonalData, exportPersonalData } from './personal-data.ts';
export { readEngagement } from './read-engagement.ts';
export { readMember } from './read-member.ts';
export { educationLevels, computeEngagementLevel, type Member } from './rules.ts';
export {
  countMembers,
  findMember,
  insertMember,
  lockActiveMember,
  lockDeployedMembers,
  lockMember,
} from './store.ts';
export { insertDeployedMembers, type NewDeployedMember } from './store-bulk.ts';
export { updateProfile } from './update-profile.ts';
