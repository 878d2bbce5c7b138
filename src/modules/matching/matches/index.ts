// Lists of matches and single ones.
export { countWaitingMatches } from './lists/count-waiting.ts';
export { listJobMatches } from './lists/list-job-matches.ts';
export { listMatchesByJob } from './lists/list-matches-by-job.ts';
export { listMatchesByMember } from './lists/list-matches-by-member.ts';
export { listMemberMatches } from './lists/list-member-matches.ts';
export { listOrganisationMatches } from './lists/list-organisation-matches.ts';
export { organisationQuery, toMatchFilter } from './lists/match-page.ts';
export { readAllMatches, type ShortlistedMatch } from './lists/read-all-matches.ts';
export { readMatch } from './lists/read-match.ts';
export { listFoundMatches } from './store-member-matches.ts';
export { listPlacements, listSharedMatches } from './lists/store-placements.ts';
export { buildMatchView, type MatchView } from './views.ts';

// What becomes of a match, and the events that say so.
export * from './events.ts';
export { announceInterests } from './lifecycle/announce-interests.ts';
export { decideMatches } from './lifecycle/decide-matches.ts';
export { expireMatches, reopenJob } from './lifecycle/expire-matches.ts';
export { moveMatch } from './lifecycle/move-match.ts';
export { respondToMatch } from './lifecycle/respond-to-match.ts';
export { setMatchStatus } from './lifecycle/set-match-status.ts';
export { undoDecision } from './lifecycle/undo-decision.ts';

// The computation of matches, and its index in memory.
export {
  computeAllMatches,
  computeOrganisationMatches,
  recomputeAllMatches,
} from './computing/compute-all-matches.ts';
export { computeJobMatches } from './computing/compute-job-matches.ts';
export { computeMatches } from './computing/compute-matches.ts';
export { computeMemberMatches } from './computing/compute-member-matches.ts';
export { fillEmptyLists } from './computing/fill-empty-lists.ts';
export { recomputeMatches } from './computing/recompute-matches.ts';
export { startRecomputation } from './computing/start-recomputation.ts';
export { buildIndexGauges, readPartStates } from './index/build-index-gauges.ts';
export { forgetChanges } from './index/forget-changes.ts';
export { readIndexState, type IndexState } from './index/match-index.ts';
export { readMatchIndex } from './index/read-match-index.ts';
export { watchMatchIndex } from './index/report-index.ts';
export { findListedVersion } from './index/store-vectors.ts';
export { partRow } from './parts/answer-question.ts';

// Why two sides match, and how one would belong.
export { alignmentLabels, computeAlignment, type Alignment } from './belonging.ts';
export { summariseFit } from './explanations/explanation-words.ts';
export { outlineJob } from './explanations/outline-job.ts';
export { explainMatches } from './explanations/explain-matches.ts';
export { generateExplanation } from './explanations/generate-explanation.ts';
export { previewExplanation } from './explanations/preview-explanation.ts';
export { readExampleMatch } from './explanations/read-example-match.ts';
export { readExample } from './explanations/read-example.ts';
export { explainToCaller, readExplanation } from './explanations/read-explanation.ts';

// Who the other side is, and what both see of each other.
export { computeAlias } from './alias.ts';
export { checkVerifiedAdmin } from './check-verified-admin.ts';
export { readContact } from './contact/read-contact.ts';
export { readMatchJob } from './contact/read-match-job.ts';
export { readRequirements } from './contact/read-requirements.ts';
export { isContactShared } from './contact/rules.ts';
export { findKnownName } from './find-known-name.ts';
export { findNamedMember } from './find-named-member.ts';
export { formatHandle } from './format-handle.ts';
export { isParty } from './parties.ts';
export { readPrivateNote } from './private-notes/read-private-note.ts';
export { listReferences } from './references/list-references.ts';
export { setReference } from './references/set-reference.ts';
export { setPrivateNote } from './private-notes/set-private-note.ts';

// The table of a job, and the views of it that an organisation saves.
export { deleteView } from './table/delete-view.ts';
export { listViews } from './table/list-views.ts';
export { readTable } from './table/read-table.ts';
export { tableSorts } from './table/rules.ts';
export { saveView } from './table/save-view.ts';

// What members prefer, and how many people a job would reach.
export { readPreferences } from './preferences/read-preferences.ts';
export { setPreferences } from './preferences/set-preferences.ts';
export { countReach } from './reach/count-reach.ts';
export { estimateReach } from './reach/estimate-reach.ts';

// Versions of the policy that ranks jobs.
export { policyComparison } from './policies/compare-lists.ts';
export { computeFeatures } from './policies/compute-features.ts';
export { previewCommand } from './policies/describe-version-change.ts';
export { previewVersion } from './policies/preview-version.ts';
export {
  all_jobs,
  neutralMultipliers,
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

// Rows, schemas and personal data.
export { personalData } from './personal-data.ts';
export { listMemberKeys as listMemberMatchKeys } from './store-member-matches.ts';
export {
  deleteOrganisationMatches,
  findMatch,
  findMatchOfMember,
  keepMatch,
  lockMatch,
  type Match,
} from './store.ts';
export { explanationTaskWire, type explanationWire } from './wire.ts';
