export { memberChanged, memberDeployed, memberUndeployed, memberWithdrawn } from './events.ts';
export {
  recordAssessmentPhase,
  recordConsentFact,
  recordDeletionCancelled,
  recordDeletionRequest,
  recordDisplacement,
  recordEmailVerified,
  recordMemberSuspension,
} from './change-member.ts';
export { erasePersonalData, exportPersonalData } from './personal-data.ts';
export { readEngagement } from './read-engagement.ts';
export { readMember } from './read-member.ts';
export { educationLevels, computeEngagementLevel, mayKeepMatches, type Member } from './rules.ts';
export {
  claimMember,
  countMembers,
  countMembersByName,
  findMember,
  insertMember,
  insertUnclaimedMember,
  lockActiveMember,
  listDeployedMembers,
  listMembers,
  listMembersByName,
  listRemainingMembers,
  lockDeployedMember,
  lockMember,
  lockMemberShared,
  updateDisplayName as updateMemberDisplayName,
  type NamePlace,
} from './store.ts';
export {
  countSyntheticMembers,
  insertDeployedMembers,
  markSyntheticMembers,
  type NewDeployedMember,
} from './store-bulk.ts';
export { updateProfile } from './update-profile.ts';
