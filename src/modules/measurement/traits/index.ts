export * from './taxonomy.ts';
export { answerItem } from './assessment/answer-item.ts';
export { assessmentLimit } from './assessment/assessment-limit.ts';
export { activateCalibration } from './calibration/activate-calibration.ts';
export { listCalibrations } from './calibration/list-calibrations.ts';
export { estimateParameters } from './calibration/estimate-parameters.ts';
export { startCalibration } from './calibration/start-calibration.ts';
export { calibrateItems } from './calibration/calibrate-items.ts';
export { formatCalibration } from './calibration/report-text.ts';
export { formatVersions, listVersions, useParameters } from './calibration/use-parameters.ts';
export { computeCategoricalPosterior } from './measurement/categorical.ts';
export { itemBank } from './items/item-bank.ts';
export { findItem } from './items/public-id.ts';
export { isGraded, type Answer } from './items/item.ts';
export { traitsMeasured, vectorsSwitched } from './events.ts';
export { rescoreAnswers } from './rescoring/rescore-answers.ts';
export { rescoreMember } from './rescoring/rescore-member.ts';
export { personalData } from './personal-data.ts';
export type { Posterior } from './measurement/posterior.ts';
export { listVectors } from './assessment/list-vectors.ts';
export { readTaxonomy } from './assessment/read-taxonomy.ts';
export { readTraits } from './assessment/read-traits.ts';
export { simulateMember, simulateScenarioAnswers } from './measurement/simulated-member.ts';
export { startAssessment } from './assessment/start-assessment.ts';
export { undoAnswer } from './assessment/undo-answer.ts';
export { updateTraitStakes } from './store.ts';
export { replaceObservedVector } from './replace-observed-vector.ts';
export { insertFirstVectors, type NewVector } from './store-bulk.ts';
export { findLatestVector, findMeasurement, isPreliminary, type LatestVector } from './store-latest.ts';
export {
  buildLatentVector,
  buildTraitVector,
  type LatentVector,
  type TraitVector,
} from './measurement/trait-vector.ts';
