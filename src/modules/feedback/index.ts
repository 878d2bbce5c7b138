export { stageOpened } from './events.ts';
export { findOpenStage } from './find-open-stage.ts';
export { giveFeedback } from './give-feedback.ts';
export { listFeedback } from './list-feedback.ts';
export { listOutcomes } from './list-outcomes.ts';
export { openStages } from './open-stages.ts';
export { erasePersonalData, exportPersonalData } from './personal-data.ts';
export { recordOutcome } from './record-outcome.ts';
