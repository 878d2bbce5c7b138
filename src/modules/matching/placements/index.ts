export { correctPlacement } from './correct-placement.ts';
export * from './events.ts';
export { findAvailableMember } from './find-available-member.ts';
export { findOpenStage, openStages } from './open-stages.ts';
export { giveFeedback } from './give-feedback.ts';
export { listFeedback } from './list-feedback.ts';
export { listOutcomes } from './list-outcomes.ts';
export { personalData } from './personal-data.ts';
export { recordOutcome } from './record-outcome.ts';
