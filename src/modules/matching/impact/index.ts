// What the priorities of a job do to groups of members.
export { previewImpact } from './preview-impact.ts';
export { previewReach } from './preview-reach.ts';
export { lookAtMembers } from './snapshot/look-at-members.ts';
