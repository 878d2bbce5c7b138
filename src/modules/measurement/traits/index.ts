// The traits.
export {
  categoricalTraits,
  continuousTraits,
  isTraitCode,
  toTraitSlot,
  traitCodes,
  traitFamilies,
  traitFamilyNames,
  traitMeanings,
  traitNames,
  type ContinuousTrait,
  type TraitCode,
  type TraitFamily,
  type TraitPriorities,
} from './taxonomy.ts';

// The assessment, and its results.
export { answerItem } from './assessment/answer-item.ts';
export { assessmentLimit } from './assessment/assessment-limit.ts';
export { listVectors } from './assessment/list-vectors.ts';
export { readTaxonomy } from './assessment/read-taxonomy.ts';
export { readTraits } from './assessment/read-traits.ts';
export { startAssessment } from './assessment/start-assessment.ts';
export { undoAnswer } from './assessment/undo-answer.ts';

// The first mirror of a visitor without an account.
export { addMirror } from './mirror/add-mirror.ts';
export { continueMirror } from './mirror/continue-mirror.ts';
export { keepMirror } from './mirror/keep-mirror.ts';
export { mirrorLimit } from './mirror/mirror-limit.ts';
export { sendMirror } from './mirror/send-mirror.ts';
export { sendMirrorLink } from './mirror/send-mirror-link.ts';

// Volunteers, who answer for science without an account.
export { answerVolunteerItem } from './volunteers/answer-volunteer-item.ts';
export { deleteVolunteer } from './volunteers/delete-volunteer.ts';
export { forgetVolunteers } from './volunteers/forget-volunteers.ts';
export { inviteVolunteers } from './volunteers/invite-volunteers.ts';
export { readVolunteer } from './volunteers/read-volunteer.ts';
export { readVolunteerTerms } from './volunteers/read-volunteer-terms.ts';
export { requestRetest } from './volunteers/request-retest.ts';
export { sendVolunteerMail } from './volunteers/send-volunteer-mail.ts';
export { setRetest } from './volunteers/set-retest.ts';
export { startVolunteer } from './volunteers/start-volunteer.ts';
export { volunteerLimit } from './volunteers/volunteer-limit.ts';

// A fictional person, for visitors without an account.
export { measureExample } from './example/measure-example.ts';
export { readTechnicalReport } from './report/read-technical-report.ts';
export { readExampleTraits } from './example/read-example-traits.ts';

// Items and what answers say.
export { itemBank } from './items/item-bank.ts';
export { chooseLanguage } from './items/languages.ts';
export { isGraded, type Answer } from './items/item.ts';
export { findItem } from './items/public-id.ts';
export { computeCategoricalPosterior } from './measurement/categorical.ts';
export type { Posterior } from './measurement/posterior.ts';
export { buildLatentVector, buildTraitVector, type LatentVector } from './measurement/trait-vector.ts';
export { computeOptionCurves } from './measurement/option-curves.ts';
export {
  certainties,
  claimPosition,
  computePosition,
  computeSupportedDistance,
  type Certainty,
} from './measurement/trait-words.ts';

// Banks of others.
export { bankCommands } from './bank-commands.ts';
export { requireVersion } from './versions/require-version.ts';
export { versionInputs } from './versions/version-inputs.ts';
export { listBanks } from './versions/list-banks.ts';
export { readBankVersion } from './versions/read-bank-version.ts';
export { useBankVersion } from './versions/use-bank-version.ts';
export { compareGroups } from './banks/compare-groups.ts';
export { exportBank } from './banks/export-bank.ts';
export { importBank } from './banks/import-bank.ts';
export { scoreAnswers } from './banks/score-answers.ts';

// The parameters of items, and new results when they change.
export { activateCalibration } from './calibration/activate-calibration.ts';
export { calibrateItems } from './calibration/calibrate-items.ts';
export { estimateParameters } from './calibration/estimate-parameters.ts';
export { listCalibrations } from './calibration/list-calibrations.ts';
export { formatCalibration } from './calibration/report-text.ts';
export { startCalibration } from './calibration/start-calibration.ts';
export {
  compareVersion,
  sumWordChanges,
  type RemeasuredMembers,
  type WordPreview,
} from './calibration/compare-version.ts';
export { formatVersions, listVersions, useParameters } from './calibration/use-parameters.ts';
export { buildFindingGauges } from './findings/build-finding-gauges.ts';
export { decideItemFinding } from './findings/decide-item-finding.ts';
export { listItemFindings } from './findings/list-item-findings.ts';
export { findingCommands } from './findings/run-commands.ts';
export { undoItemDecision } from './findings/undo-item-decision.ts';
export { startGroupExamination } from './functioning/examine-groups.ts';
export { builtInNorms, loadTraitNorms, type TraitNorms } from './parameters/trait-norms.ts';
export { rescoreAnswers } from './rescoring/rescore-answers.ts';
export { rescoreMember } from './rescoring/rescore-member.ts';

// Stored results, events and personal data.
export * from './events.ts';
export { personalData } from './personal-data.ts';
export { replaceObservedVector } from './replace-observed-vector.ts';
export { insertFirstVectors, type NewVector } from './store-bulk.ts';
export { findLatestVector, findMeasurement, isPreliminary, type LatestVector } from './store-latest.ts';
export { listDeepeningMembers, updateTraitStakes } from './store.ts';

// Synthetic members of the demonstration.
export { simulateMember, simulateScenarioAnswers } from './measurement/simulated-member.ts';
