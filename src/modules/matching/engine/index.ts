export {
  type FitWeights,
  computeFit,
  computeFitWeights,
  computeRelativeMeans,
  computeStandardWeights,
} from './fit.ts';
export { largestPopulation, locateFacts, locateSlot } from './layout.ts';
export { findPosition, listPositionsByTail, readId } from './member-ids.ts';
export { appendChunk, computeChunkBytes, copyChunk, listChunkSizes } from './population-copy.ts';
export {
  type Population,
  computePopulationBytes,
  countMembers,
  createPopulation,
  removeMember,
  upsertMember,
} from './population.ts';
export { type Scanner, openScanner } from './scanner.ts';
export {
  type JobMatch,
  type MatchedJob,
  type MemberSource,
  matchJob,
  matchJobs,
  measureMatch,
  shortlistLimits,
} from './shortlist.ts';
export { slotCount, toTraitWeights } from './slots.ts';
export {
  type JobTerms,
  type MemberTerms,
  type Preferences,
  type Values,
  areCompatible,
  defaultPreferences,
} from './terms.ts';
export {
  type ConfidenceLevel,
  type MatchQuality,
  computeTier,
  confidenceLevels,
  matchQualities,
} from './tiers.ts';
export { computeTraitStakes } from './trait-stakes.ts';
