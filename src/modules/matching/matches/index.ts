export * from './events.ts';
export {
  computeAllMatches,
  recomputeAllMatches,
  computeOrganisationMatches,
} from './computing/compute-all-matches.ts';
export { computeJobMatches } from './computing/compute-job-matches.ts';
export { computeMemberMatches } from './computing/compute-member-matches.ts';
export { computeMatches } from './computing/compute-matches.ts';
export { fillEmptyLists } from './computing/fill-empty-lists.ts';
export { expireMatches, reopenJob } from './lifecycle/expire-matches.ts';
export { generateExplanation } from './explanations/generate-explanation.ts';
export { listJobMatches } from './lists/list-job-matches.ts';
export { listMemberMatches } from './lists/list-member-matches.ts';
export { listMatchesByJob } from './lists/list-matches-by-job.ts';
export { listMatchesByMember } from './lists/list-matches-by-member.ts';
export { listPlacements, listSharedMatches } from './lists/store-placements.ts';
export { listOrganisationMatches } from './lists/list-organisation-matches.ts';
export { forgetChanges } from './index/forget-changes.ts';
export { buildIndexGauges, readPartStates } from './index/build-index-gauges.ts';
export { readIndexState, type IndexState } from './index/match-index.ts';
export { watchMatchIndex } from './index/report-index.ts';
export { personalData } from './personal-data.ts';
export { explainToCaller, readExplanation } from './explanations/read-explanation.ts';
export { readPreferences } from './preferences/read-preferences.ts';
export { setPreferences } from './preferences/set-preferences.ts';
export { isContactShared } from './contact/rules.ts';
export { checkVerifiedAdmin } from './check-verified-admin.ts';
export { alignmentLabels, computeAlignment, type Alignment } from './belonging.ts';
export { findNamedMember } from './find-named-member.ts';
export { computeAlias } from './alias.ts';
export { isParty } from './parties.ts';
export { moveMatch } from './lifecycle/move-match.ts';
export { listMemberKeys as listMemberMatchKeys } from './store-member-matches.ts';
export { deleteOrganisationMatches, findMatch, keepMatch, lockMatch, type Match } from './store.ts';
export { readContact } from './contact/read-contact.ts';
export { readMatchJob } from './contact/read-match-job.ts';
export { readRequirements } from './contact/read-requirements.ts';
export { organisationQuery, toMatchFilter } from './lists/match-page.ts';
export { readAllMatches, type ShortlistedMatch } from './lists/read-all-matches.ts';
export { findListedVersion } from './index/store-vectors.ts';
export { buildMatchView, type MatchView } from './views.ts';
export { explanationTaskWire, type explanationWire } from './wire.ts';
export { readMatch } from './lists/read-match.ts';
export { readMatchIndex } from './index/read-match-index.ts';
export {
  all_jobs,
  applyPolicy,
  neutralMultipliers,
  readOccupationGroup,
  selectMultipliers,
  type FitPolicy,
  type PolicyMultipliers,
} from './policies/rules.ts';
export {
  findLivePolicy,
  findPolicy,
  insertPolicy,
  insertUse,
  listPolicies,
  listUses,
  lockPolicies,
  type PolicyUse,
  type StoredPolicy,
} from './policies/store.ts';
export { compareTiers, type TierComparison } from './policies/compare-tiers.ts';
export { computeFeatures } from './policies/compute-features.ts';
export { startRecomputation } from './computing/start-recomputation.ts';
export { recomputeMatches } from './computing/recompute-matches.ts';
export { respondToMatch } from './lifecycle/respond-to-match.ts';
export { setMatchStatus } from './lifecycle/set-match-status.ts';
export { countReach } from './reach/count-reach.ts';
export { estimateReach } from './reach/estimate-reach.ts';
