export { authenticateBearer } from './tokens/authenticate-bearer.ts';
export { authenticateCapability, type AgentCaller } from './tokens/authenticate-capability.ts';
export { denyInteraction } from './interactions/deny-interaction.ts';
export { erasePersonalData, exportPersonalData } from './personal-data.ts';
export { finishConsent } from './interactions/finish-consent.ts';
export { forgetArtifacts } from './forget-artifacts.ts';
export {
  protocolOptions,
  serveAuthorization,
  serveForm,
  serveRegistration,
} from './protocol/serve-protocol.ts';
export { removeTokens } from './remove-tokens.ts';
export { readInteraction } from './interactions/read-interaction.ts';
export { buildDefaultScope, buildResource, interaction_cookie, interactions_path } from './rules.ts';
export { serveResourceMetadata, serveServerMetadata } from './protocol/serve-metadata.ts';
