import { randomUUID } from 'node:crypto';
import {
  Provider,
  errors,
  interactionPolicy,
  type Configuration,
  type JWK,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { findLiveGrant } from '../grants/find-live-grant.ts';
import { isScopeAsked } from '../grants/rules.ts';
import { systemClock } from '#platform/clock.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import { listToolScopes } from '#lib/tool.ts';
import type { Platform } from '#platform/platform.ts';
import {
  assertion_seconds_max,
  buildResource,
  describeClient,
  findMetadataFault,
  interaction_cookie,
  interactions_path,
  lifetimes_s,
  login_age_parameter,
  type ClientDescription,
} from '../rules.ts';
import { createAdapter, deriveSuccessorId, endGrant } from './adapter.ts';
import { recordReplies } from './run-provider.ts';
import { fetchForProvider, isWorthFetching } from './fetch-for-provider.ts';
import { Refusal } from '#lib/refusal.ts';
import { verifyCapability } from '../tokens/verify-capability.ts';

const currentProvider = instanceMemory((platform) => {
  const current: { provider: Provider | undefined } = { provider: undefined };
  platform.keys.onChange(() => (current.provider = undefined));
  return current;
});

/**
 * Returns the authorization server of this process. Its state is in the database, so that several processes are one server, and so that it can
 * be created again whenever the signing keys change.
 */
export function openProvider(platform: Platform): Provider {
  return (currentProvider(platform).provider ??= createProvider(platform));
}

function createProvider(platform: Platform): Provider {
  const provider = new Provider(platform.config.publicUrl, buildConfiguration(platform));
  // The handler writes the headers by which the library recognises the public address (`protocol/serve-protocol.ts`).
  provider.proxy = true;
  deriveSuccessors(provider, platform);
  recordReplies(provider, (context) => revokeAccessToken(platform, context));
  return provider;
}

/** Lets a refresh token be followed by the one that is derived from it. A code is followed by a random one. */
function deriveSuccessors(provider: Provider, { secrets }: Platform): void {
  const { prototype } = provider.RefreshToken as unknown as { prototype: { generateTokenId: () => string } };
  const generateRandom = prototype.generateTokenId;
  prototype.generateTokenId = function generateTokenId() {
    const rotated = Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti;
    return rotated === undefined ? generateRandom.call(this) : deriveSuccessorId(secrets, rotated);
  };
}

/** The settings of oidc-provider. What is not set here is refused or absent: docs/decisions/agents.md has the reasons. */
function buildConfiguration(platform: Platform): Configuration {
  return {
    adapter: (name: string) => createAdapter(platform, name),
    jwks: { keys: listSigningJwks(platform) },
    scopes: ['offline_access', ...listToolScopes(platform.tools)],
    claims: { sub: null, auth_time: null },
    extraParams: [login_age_parameter],
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    assertJwtClientAuthClaimsAndHeader: (_context, { exp }) => refuseLongAssertion(exp),
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
    clientBasedCORS: () => true,
    allowOmittingSingleRegisteredRedirectUri: false,
    cookies: {
      names: { session: 'tessera-oauth', interaction: interaction_cookie, resume: 'tessera-resume' },
      long: { httpOnly: true, sameSite: 'lax' },
      short: { httpOnly: true, sameSite: 'lax' },
      keys: [],
    },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      registration: '/oauth/register',
      revocation: '/oauth/revoke',
      jwks: '/.well-known/jwks.json',
    },
    features: buildFeatures(platform),
    ...buildLifetimes(),
    interactions: {
      policy: buildPolicy(),
      url: (_context, { uid }) => `${interactions_path}/${uid}`,
    },
    // A grant is looked up by the decision of this request alone, never by an earlier login of the browser.
    loadExistingGrant: async ({ oidc }) => {
      const grant_id = oidc.result?.consent?.grantId;
      return grant_id === undefined ? undefined : oidc.provider.Grant.find(grant_id);
    },
    findAccount: async (_context, sub, token) =>
      (await canIssue(platform, token as IssuingToken | undefined))
        ? { accountId: sub, claims: () => ({ sub }) }
        : undefined,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    rotateRefreshToken: () => true,
    revokeGrantPolicy: () => true,
    extraTokenClaims: (_context, token) => ({ gid: (token as { grantId?: string }).grantId }),
    formats: { customizers: { jwt: (_context, token, jwt) => correctTimes(platform, token, jwt) } },
    renderError: (context, out) => void (context.state['shownError'] = out),
    // The library passes its URLs as text.
    fetch: (url, options) => fetchForProvider(platform, url as string, options),
  };
}

/** The library has checked that an assertion has a time of expiry, on the clock of the system. */
async function refuseLongAssertion(exp: unknown): Promise<void> {
  if (Number(exp) > systemClock.now().getTime() / 1000 + assertion_seconds_max)
    throw new errors.InvalidClientAuth(`exp must be within ${assertion_seconds_max} seconds`);
}

/** A code or a refresh token, for which tokens are asked. */
type IssuingToken = { readonly kind: string; readonly grantId?: string; readonly consumed?: unknown };

async function canIssue(platform: Platform, token: IssuingToken | undefined): Promise<boolean> {
  if (token?.grantId === undefined) return true;
  const grant = await findLiveGrant(platform, platform.database, token.grantId);
  if (grant === undefined) return false;
  // The library has to see a refresh token that is used twice, because it ends the grant.
  const isAnswer = token.kind === 'RefreshToken' && !token.consumed;
  return !(isAnswer && isScopeAsked(grant, platform.now()));
}

function buildFeatures(platform: Platform): Configuration['features'] {
  const { config } = platform;
  const resource = buildResource(config.publicUrl);
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
    revocation: {
      enabled: true,
      allowedPolicy: (_context, client, token) => token.clientId === client.clientId,
    },
    registration: {
      enabled: true,
      initialAccessToken: false,
      issueRegistrationAccessToken: false,
      idFactory: () => randomUUID(),
    },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      cacheDuration: { min: 60, max: 3_600 },
      allowFetch: (_context, id) => isWorthFetching(platform, id),
      allowClient: (_context, client) =>
        findMetadataFault({ redirect_uris: client.redirectUris, client_name: client.clientName }) ===
        undefined,
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: (_context, indicator) => {
        if (indicator !== resource) throw new errors.InvalidTarget();
        return {
          audience: resource,
          scope: listToolScopes(platform.tools).join(' '),
          accessTokenFormat: 'jwt',
          accessTokenTTL: lifetimes_s.access_token,
          jwt: { sign: { alg: config.token.algorithm } },
        };
      },
    },
  };
}

function buildLifetimes(): Pick<Configuration, 'ttl'> {
  return {
    ttl: {
      AccessToken: lifetimes_s.access_token,
      AuthorizationCode: lifetimes_s.code,
      Grant: lifetimes_s.refresh_token,
      Interaction: lifetimes_s.interaction,
      RefreshToken: lifetimes_s.refresh_token,
      Session: lifetimes_s.code,
    },
  };
}

/**
 * Every authorization request asks the person, also a repeated one: a client without a secret cannot prove that it is the one that was allowed
 * before (RFC 8252, section 8.6). The same page asks who they are, so there is one prompt, which a request may also name `login`.
 */
function buildPolicy() {
  const { Check, Prompt } = interactionPolicy;
  const describe = ({ oidc }: Parameters<ConstructorParameters<typeof Check>[2]>[0]) => ({
    client: describeRequestingClient(oidc.client!, String(oidc.params!['redirect_uri'])),
  });
  const policy = interactionPolicy.base();
  policy.clear();
  policy.add(new Prompt({ name: 'login', requestable: true }, describe));
  policy.add(
    new Prompt(
      { name: 'consent', requestable: true },
      describe,
      new Check('not_asked', 'the person must be asked', 'interaction_required', ({ oidc }) =>
        oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
      ),
    ),
  );
  return policy;
}

function describeRequestingClient(
  client: {
    readonly clientId: string;
    readonly clientName?: string | undefined;
    readonly clientIdMetadataDocument?: boolean;
  },
  redirect_uri: string,
): ClientDescription {
  return describeClient({
    id: client.clientId,
    name: client.clientName,
    redirect_uri,
    hasMetadataUrl: client.clientIdMetadataDocument === true,
  });
}

/** The active signing keys of access tokens. Those of credentials sign nothing here. */
function listSigningJwks({ keys }: Platform): JWK[] {
  return (['ES256', 'RS256'] as const).map((algorithm) => {
    const { kid, keyObjects } = keys.selectActive('access_token', algorithm);
    return { ...keyObjects.private.export({ format: 'jwk' }), kid, alg: algorithm, use: 'sig' };
  });
}

/** The library reads the clock of the system. A token has the times of the service's clock, by which it is verified. */
function correctTimes({ now }: Platform, _token: unknown, jwt: { payload: Record<string, unknown> }): never {
  const { iat, exp } = jwt.payload as { iat: number; exp: number };
  const issued_at = Math.floor(now().getTime() / 1000);
  Object.assign(jwt.payload, { iat: issued_at, exp: issued_at + exp - iat });
  return undefined as never;
}

/**
 * Revokes a capability token (RFC 7009). The library refuses to, because it does not store these tokens. Here they end with their grant, which is what a
 * client means that disconnects. The library has authenticated the client before; a token of another client, or an invalid one, changes nothing, and
 * the reply is the same.
 */
async function revokeAccessToken(platform: Platform, context: KoaContextWithOIDC): Promise<void> {
  const { error } = (context.body ?? {}) as { error?: unknown };
  if (context.path !== '/oauth/revoke' || error !== 'unsupported_token_type') return;
  const { client, params } = context.oidc;
  if (!client) return;
  const capability = await verifyCapability(platform, `Bearer ${String(params?.['token'])}`).catch(
    (refusal: unknown) => {
      if (refusal instanceof Refusal && refusal.status < 500) return undefined;
      throw refusal;
    },
  );
  if (capability?.client_id === client.clientId) await endGrant(platform, capability.grant_id);
  context.status = 200;
  context.body = '';
}
