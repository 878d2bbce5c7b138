export { computeJobMatches } from './compute-job-matches.ts';
export { computeMemberMatches } from './compute-member-matches.ts';
export { listJobMatches } from './list-job-matches.ts';
export { listMemberMatches } from './list-member-matches.ts';
export { erase, exportOf } from './personal-data.ts';
export { readMatch } from './read-match.ts';
export { recomputeMatches } from './recompute-matches.ts';
