export { noteAssessmentPhase, noteConsent, noteEmailVerified } from './facts.ts';
export { readEngagement } from './read-engagement.ts';
export { readMember } from './read-member.ts';
export { engagementLevel } from './rules.ts';
export { findMember, insertMember } from './store.ts';
export { insertDeployedMembers } from './store-bulk.ts';
export { updateProfile } from './update-profile.ts';
