export {
  computeChoicePosterior,
  computeChoiceProbabilities,
  drawChoicePoints,
  groupByPopularity,
  wayCount,
  type Choice,
  type ChoiceGroup,
  type ChoicePosterior,
} from './choice-posterior.ts';
export {
  approximatePosterior,
  computeLogEvidence,
  type LikelihoodFactor,
  type Moments,
} from './expectation-propagation.ts';
export {
  computeCategoryProbabilities,
  computeInformation,
  computeLogProbability,
  computeLogProbabilityDerivatives,
  listCategories,
  toKeyedCategory,
  type GradedParameters,
  type ItemParameters,
} from './graded-response.ts';
export { computeNormalAverage, fillNormalWeights, getItemCurves, grid } from './item-curves.ts';
export { computeCorrelation, computeFit, fitLimits, type Fit } from './item-fit.ts';
export { itemClasses, type ItemClass, type Stratum } from './item-functioning.ts';
export { judgeItem } from './item-judgement.ts';
export { fitLogistic, type LogisticFit, type Prior } from './logistic-regression.ts';
export { sumObservations, type Observations, type ObservationSums } from './logistic-sums.ts';
export {
  estimateParameters,
  unanswered,
  type Calibration,
  type CalibrationItem,
  type Responses,
} from './marginal-likelihood.ts';
export { computeCategoryCurves } from './maximisation-step.ts';
export { linkScales, moveParameters, type Anchor, type ScaleLink } from './scale-linking.ts';
export { logGamma, logistic, normalCdf } from './special-functions.ts';
export { computeStudentQuantile } from './student-quantile.ts';
export { cholesky, flattenRows, invertMatrix, multiplyFactor, solveSystem } from './symmetric-matrix.ts';
export {
  computeAdjusted,
  computeDetectableRatio,
  computeExactTest,
  computeRatioInterval,
  type TwoGroups,
} from './two-groups.ts';
