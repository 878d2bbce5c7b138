// Operations on jobs.
export { addJob } from './add-job.ts';
export { closeJob } from './close-job.ts';
export { createJob } from './create-job.ts';
export { listJobs } from './list-jobs.ts';
export { readJob } from './read-job.ts';
export { updateJob } from './update-job.ts';

// Who follows a job.
export { readFollowing } from './following/read-following.ts';
export { setFollowing } from './following/set-following.ts';
export { isFollower, listFollowers } from './following/store.ts';

// What is new for a user since the last visit.
export { newSinceWire, recordVisit } from './visits/record-visit.ts';
export { findNewSince } from './visits/store.ts';

// Jobs as they are published: drafts from what others have published, and our own.
export { exportPosting } from './postings/export-posting.ts';
export { importFromAddress } from './postings/import-from-address.ts';
export { importJobs } from './postings/import-jobs.ts';
export { importTable } from './postings/import-table.ts';

// Boards that are read every day.
export { dismissBoardChanges } from './boards/dismiss-board-changes.ts';
export { followBoard } from './boards/follow-board.ts';
export { listBoardChanges } from './boards/list-board-changes.ts';
export { listBoards } from './boards/list-boards.ts';
export { readBoard } from './boards/read-board.ts';
export { readBoardNow } from './boards/read-board-now.ts';
export { readDailyBoard, readDueBoards } from './boards/read-due-boards.ts';
export { sendBoardPause } from './boards/send-board-pause.ts';
export { unfollowBoard } from './boards/unfollow-board.ts';
export { updateBoard } from './boards/update-board.ts';

// Templates of occupations.
export { importTemplates, readTemplates } from './templates/import-templates.ts';
export { searchTemplates } from './templates/search-templates.ts';
export { listTemplates } from './templates/store.ts';

// The version of a match, and limits against measuring people by changing a job.
export { findJobOfVersion } from './versions/find-job-of-version.ts';
export { listProbingReports } from './versions/list-probing-reports.ts';
export { formatProbing, listProbing } from './versions/list-probing.ts';
export { readLimits } from './versions/read-limits.ts';
export { probingCounter, reportProbing } from './versions/report-probing.ts';

// Rows, values, schemas and events.
export * from './events.ts';
export {
  clearances,
  constraintsWire,
  metadataFields,
  referenceInput,
  referenceText,
  remotePolicies,
  salaryFields,
  traitPrioritiesInput,
  traitPrioritiesWire,
  type Clearance,
  type JobConstraints,
} from './field-schemas.ts';
export { choiceWire, signChoice } from './priorities-choice.ts';
export type { Job } from './resource.ts';
export { checkConstraints, parseTraitPriorities } from './rules.ts';
export {
  countAllJobs,
  deleteJobs,
  findJob,
  findOrganisationJob,
  hasOutdatedMatches,
  listActiveJobs,
  listJobIds,
  listJobOutlines,
  listJobsWithOutdatedMatches,
  listMatchTimes,
  listOfferedJobs,
  lockActiveJobs,
  lockJob,
  lockJobShared,
  updateComputation,
} from './store.ts';
export { largestShare, limitPriorities } from './trait-shares.ts';
