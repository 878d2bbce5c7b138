// Operations on what a user allows agents.
export { listGrants } from './grants/list-grants.ts';
export { removeGrantTool } from './grants/remove-grant-tool.ts';
export { revokeGrant } from './grants/revoke-grant.ts';
export { revokeGrants } from './grants/revoke-grants.ts';
export { setSpendCap } from './grants/set-spend-cap.ts';

// Operations of the consent page.
export { denyInteraction } from './interactions/deny-interaction.ts';
export { finishConsent } from './interactions/finish-consent.ts';
export { readInteraction } from './interactions/read-interaction.ts';

// Endpoints of the protocol, at the origin.
export { serveResourceMetadata, serveServerMetadata } from './protocol/serve-metadata.ts';
export { serveRegistryEntry } from './protocol/serve-registry-entry.ts';
export {
  protocolOptions,
  serveAuthorization,
  serveForm,
  serveRegistration,
} from './protocol/serve-protocol.ts';

// Tasks, events and personal data.
export { forgetArtifacts } from './forget-artifacts.ts';
export { grantRevoked } from './grants/events.ts';
export { forgetGrants } from './grants/forget-grants.ts';
export * as personalData from './personal-data.ts';
export { removeTokens } from './remove-tokens.ts';

// How agents authenticate, and what other modules do with their grants.
export { revokeAllGrants, revokeUserGrants } from './grants/end-grant.ts';
export { noteScopeAsked } from './grants/find-live-grant.ts';
export { reserveSpend, returnSpend } from './grants/reserve-spend.ts';
export { isUseStored } from './grants/rules.ts';
export { authenticateBearer } from './tokens/authenticate-bearer.ts';
export { authenticateCapability } from './tokens/authenticate-capability.ts';

// Values that pages show.
export {
  lifetimes_days,
  findDocumentHost,
  listOfferedTools,
  spend_cap_dollars_max,
  type LifetimeDays,
} from './grants/rules.ts';
export { interaction_cookie } from './rules.ts';
