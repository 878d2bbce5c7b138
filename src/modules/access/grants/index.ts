export { endGrantOfAgent } from './end-grant-of-agent.ts';
export { findLiveGrant, noteGrantUse, type LiveGrant } from './find-live-grant.ts';
export { forgetGrants } from './forget-grants.ts';
export { grantRevoked } from './events.ts';
export { listGrants } from './list-grants.ts';
export { erasePersonalData, exportPersonalData } from './personal-data.ts';
export { noteScopeAsked } from './note-scope-asked.ts';
export { recordGrant, type Consent } from './record-grant.ts';
export { removeGrantTool } from './remove-grant-tool.ts';
export { reserveSpend, returnSpend } from './reserve-spend.ts';
export { revokeAllGrants } from './revoke-all-grants.ts';
export { revokeGrant } from './revoke-grant.ts';
export { revokeGrants } from './revoke-grants.ts';
export {
  isScopeAsked,
  lifetimes_days,
  listOfferedTools,
  spend_cap_dollars_max,
  type LifetimeDays,
} from './rules.ts';
export { setSpendCap } from './set-spend-cap.ts';
