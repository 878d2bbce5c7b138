// Operations.
export { readEngagement } from './read-engagement.ts';
export { readMember } from './read-member.ts';
export { updateProfile } from './update-profile.ts';

// Tasks, events and personal data.
export * from './events.ts';
export { personalData } from './personal-data.ts';

// Services for other modules, tables and commands.
export {
  recordAssessmentPhase,
  recordConsentFact,
  recordDeletionCancelled,
  recordDeletionRequest,
  recordDisplacement,
  recordEmailVerified,
  recordMemberSuspension,
} from './change-member.ts';
export { countSyntheticMembers, insertDeployedMembers, markSyntheticMembers } from './store-bulk.ts';
export {
  claimMember,
  countMembers,
  countMembersByName,
  findMember,
  insertMember,
  insertUnclaimedMember,
  listDeployedMembers,
  listMembers,
  listMembersByName,
  listRemainingMembers,
  lockDeployedMember,
  lockMember,
  lockMemberShared,
  updateDisplayName as updateMemberDisplayName,
  type NamePlace,
  unnamedMember,
} from './store.ts';

// Values, rules and schemas.
export { computeEngagementLevel, mayKeepMatches } from './engagement.ts';
export { educationLevels } from './profile-fields.ts';
export type { Member } from './resource.ts';
