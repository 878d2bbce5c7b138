// Services for other modules, tables and commands.
export {
  computeFit,
  computeFitWeights,
  computeRelativeMeans,
  computeStandardWeights,
  type FitWeights,
} from './fit.ts';
export { largestPopulation, locateFacts, locateSlot } from './layout.ts';
export { canEnterList, findListEnd } from './list-end.ts';
export { findPosition, listPositionsByTail, readId } from './member-ids.ts';
export {
  addUpStakes,
  compareMembers,
  createPackedJobs,
  hasCompatibleJob,
  measurePackedJob,
  removeJob,
  upsertJob,
  type ComparedJob,
  type Comparison,
  type PackedJobs,
} from './packed-jobs.ts';
export { appendChunk, computeChunkBytes, copyChunk, listChunkSizes } from './population-copy.ts';
export {
  computePopulationBytes,
  countMembers,
  createPopulation,
  removeMember,
  upsertMember,
  type Population,
} from './population.ts';
export { openScanner, type Scanner } from './scanner.ts';
export {
  listShortParts,
  matchJobs,
  measureMatch,
  mergeShortlists,
  shortlistLimits,
  type JobMatch,
  type MatchedJob,
  type MemberSource,
} from './shortlist.ts';
export { slotCount, toTraitWeights } from './slots.ts';
export {
  areCompatible,
  defaultPreferences,
  openTerms,
  pickJobTerms,
  type JobTerms,
  type MemberTerms,
  type Preferences,
  type Values,
} from './terms.ts';
export {
  computeLeastMean,
  computeTier,
  confidenceLevels,
  matchQualities,
  type ConfidenceLevel,
  type MatchQuality,
} from './tiers.ts';
export { computeTraitStakes } from './trait-stakes.ts';
