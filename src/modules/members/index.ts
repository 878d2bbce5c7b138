export { noteAssessmentPhase, noteConsent, noteEmailVerified } from './facts.ts';
export { readEngagement } from './read-engagement.ts';
export { readMember } from './read-member.ts';
export { engagementLevel, type Member } from './rules.ts';
export { findMember, insertMember } from './store.ts';
export { insertDeployedMembers, type NewDeployedMember } from './store-bulk.ts';
export { updateProfile } from './update-profile.ts';
