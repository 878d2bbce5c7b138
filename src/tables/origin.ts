import { paymentProblem } from '#modules/income/payments';
import { additionalRows, specifiedRows } from './api.ts';
import { apiTexts } from './fields.ts';
import * as achievements from '#modules/credentials/achievements';
import * as credentials from '#modules/credentials/credentials';
import { partRow, readPartStates } from '#modules/matching/matches';
import * as agents from '#modules/access/agents';
import { addScimEndpoint, scimPaths } from '#modules/access/directories';
import { addPartnerEndpoints, partnerPaths } from '#modules/matching/partners';
import * as notifications from '#modules/operations/notifications';
import * as serviceKeys from '#modules/access/service-keys';
import * as verifyPage from '#modules/credentials/verify-page';
import * as wallets from '#modules/credentials/wallets';
import { webhookMessages } from '#modules/operations/webhooks';
import { serveDemoLink } from '../web/entrance/demo-link.ts';
import { serveAsset } from '../web/serving/assets.ts';
import { serveRobots, serveSitemap } from '../web/serving/search-engines.ts';
import { buildReadinessHandler, serveHealth, serveMetrics } from '#platform/http/health.ts';
import { row, type OriginRow, type ProtocolRow } from '#platform/http/origin-routes.ts';
import { addMcpEndpoint, mcpPaths } from '#platform/mcp/endpoint.ts';
import {
  buildDocsHandler,
  buildOpenApiHandler,
  serveDocsAsset,
  serveProblems,
} from '#platform/reference/serve-reference.ts';

const apiRows = [...specifiedRows, ...additionalRows];
const referenceParts = { problem: paymentProblem, texts: apiTexts };

/** TABLE 2: everything that is served outside `/api/v1`: path, who may call it, whether the rate limits count it, and its handler. */
export const originRows: readonly OriginRow[] = [
  row('GET', '/health', 'public', 'unlimited', serveHealth),

  // The API, to read and try
  row(
    'GET',
    '/openapi.json',
    'public',
    'unlimited',
    buildOpenApiHandler(apiRows, { ...referenceParts, messages: webhookMessages }),
  ),
  row('GET', '/docs', 'public', 'unlimited', buildDocsHandler(apiRows, referenceParts)),
  row('GET', '/docs/{name}', 'public', 'unlimited', serveDocsAsset),
  row('GET', '/docs/problems', 'public', 'unlimited', serveProblems),

  // What search engines ask for
  row('GET', '/robots.txt', 'public', 'unlimited', serveRobots),
  row('GET', '/sitemap.xml', 'public', 'unlimited', serveSitemap),

  // What the pages of the console load, and the links that the demonstration prints
  row('GET', '/assets/{asset}', 'public', 'unlimited', serveAsset),
  row('GET', '/demo/{token}', 'public', 'limited', serveDemoLink),

  // What verifiers of credentials look up
  row('GET', '/.well-known/did.json', 'public', 'unlimited', credentials.serveDidDocument),
  row('GET', '/.well-known/jwks.json', 'public', 'unlimited', credentials.serveJwks),
  row('GET', '/.well-known/jwt-vc-issuer', 'public', 'unlimited', credentials.serveIssuerMetadata),
  row('GET', '/contexts/credentials/v1', 'public', 'unlimited', credentials.serveCredentialContext),
  row('GET', '/contexts/credentials/v2', 'public', 'unlimited', credentials.serveAddedContext),
  row('GET', '/vocabulary', 'public', 'unlimited', credentials.serveVocabulary),
  row('GET', '/vct/{credential_type}', 'public', 'unlimited', credentials.serveTypeMetadata),
  row('GET', '/achievement-images/{achievement_id}', 'public', 'limited', achievements.serveAchievementImage),
  row('GET', '/achievements/card.png', 'public', 'unlimited', credentials.servePlainCard),
  row(
    'GET',
    '/achievements/{credential_type}/{attestation_tier}',
    'public',
    'unlimited',
    credentials.serveAchievement,
  ),
  row(
    'GET',
    '/achievements/{credential_type}/{attestation_tier}/{picture}',
    'public',
    'unlimited',
    credentials.serveAchievementPicture,
  ),
  row('GET', '/verify', 'public', 'limited', verifyPage.serveGivingPage),
  row(
    'POST',
    '/verify',
    'public',
    'limited',
    verifyPage.serveGivenCredential,
    verifyPage.giveCredentialOptions,
  ),
  row('GET', '/verify/{credential_id}', 'public', 'limited', verifyPage.serveVerifyPage),
  row('GET', '/verify/{credential_id}/pdf', 'public', 'limited', verifyPage.serveVerifyPdf),
  row('GET', '/verify/{credential_id}/badge', 'public', 'limited', verifyPage.serveVerifyBadge),

  // One-click unsubscribing (RFC 8058), which mail programs call
  row(
    'POST',
    '/unsubscribe/{token}',
    'public',
    'limited',
    notifications.serveUnsubscribe,
    notifications.unsubscribeOptions,
  ),

  // The authorization server for agents (docs/agents.md). Clients look for its metadata at the root, at the path of the endpoint, and below it.
  ...[
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/mcp',
    '/mcp/.well-known/oauth-authorization-server',
    '/mcp/.well-known/openid-configuration',
  ].map((path) => row('GET', path, 'public', 'unlimited', agents.serveServerMetadata)),
  ...[
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/mcp/.well-known/oauth-protected-resource',
  ].map((path) => row('GET', path, 'public', 'unlimited', agents.serveResourceMetadata)),
  // The entry that an operator publishes in a registry of MCP servers
  row('GET', '/server.json', 'public', 'unlimited', agents.serveRegistryEntry),
  row('GET', '/oauth/authorize', 'public', 'limited', agents.serveAuthorization),
  row('GET', '/oauth/authorize/{uid}', 'public', 'limited', agents.serveAuthorization),
  row('POST', '/oauth/token', 'public', 'token_exchange', serviceKeys.serveToken, agents.protocolOptions),
  row('POST', '/oauth/revoke', 'public', 'token_exchange', agents.serveForm, agents.protocolOptions),
  row('POST', '/oauth/register', 'public', 'registration', agents.serveRegistration, agents.protocolOptions),

  // OpenID4VCI 1.0: what wallets call. RFC 8414 section 3.1 puts the well-known part before the path of the server's name.
  row('GET', '/.well-known/openid-credential-issuer', 'public', 'unlimited', wallets.serveIssuerMetadata),
  row(
    'GET',
    '/.well-known/oauth-authorization-server/openid4vci',
    'public',
    'unlimited',
    wallets.serveServerMetadata,
  ),
  row('GET', '/openid4vci/offers/{handle}', 'wallet', 'limited', wallets.serveOffer, wallets.protocolOptions),
  row('POST', '/openid4vci/token', 'wallet', 'limited', wallets.issueToken, wallets.protocolOptions),
  row('POST', '/openid4vci/nonce', 'wallet', 'limited', wallets.issueNonce, wallets.protocolOptions),
  row(
    'POST',
    '/openid4vci/credential',
    'wallet',
    'limited',
    wallets.issueCredential,
    wallets.protocolOptions,
  ),
];

const mcp = { authenticate: agents.authenticateCapability, noteScopeAsked: agents.noteScopeAsked };

/** Protocols with routes of their own: what agents call. */
export const protocolRows: readonly ProtocolRow[] = [
  {
    paths: Object.values(mcpPaths),
    access: 'agent',
    add: (server, platform, options) => addMcpEndpoint(server, platform, { ...mcp, ...options }),
  },
  {
    paths: scimPaths,
    access: 'service_key',
    add: (server, platform, { rows }) => addScimEndpoint(server, platform, rows),
  },
  {
    paths: partnerPaths,
    access: 'service_key',
    add: (server, platform, { rows }) => addPartnerEndpoints(server, platform, rows),
  },
];

/** Served on the internal port only. */
export const internalRows: readonly OriginRow[] = [
  row('GET', '/metrics', 'operator', 'unlimited', serveMetrics),
  row('GET', '/health/live', 'operator', 'unlimited', serveHealth),
  row('GET', '/health/ready', 'operator', 'unlimited', buildReadinessHandler(readPartStates)),
  // What workers ask each other. Question and answer are encrypted with the master key.
  partRow,
];
