import { LRUCache } from 'lru-cache';
import type { Configuration, CustomFetch } from 'openid-client';
import { instanceMemory } from '#platform/instance-memory.ts';
import { OutboundError } from '#platform/outbound/outbound.ts';
import { toFetchResponse } from '#platform/outbound/to-fetch-response.ts';
import type { Services } from '#platform/platform.ts';
import type { OpenidConfiguration } from './rules.ts';
import { unsealClientSecret } from './client-secret.ts';

const timeout_s = 10;
const bytes_max = 256 * 1024;

/** How long the description of a provider is used before it is fetched again. Its keys are fetched again when a token names an unknown one. */
const described_ms = 10 * 60_000;

/** The library, loaded with the first login: most organisations have no provider. */
export const loadClient = () => import('openid-client');

/** The providers that were asked lately, by the configuration that names them. */
const providers = instanceMemory(
  () => new LRUCache<string, Promise<Configuration>>({ max: 1_000, ttl: described_ms }),
);

type ProviderServices = Pick<Services, 'config' | 'fetchOutbound' | 'memory' | 'secrets'>;

/**
 * Connects to the provider of an organisation: fetches its description, or uses the one of the last ten minutes.
 *
 * @throws ProviderFault if the provider cannot be reached, or does not describe itself as this issuer.
 */
export async function connectProvider(
  services: ProviderServices,
  configuration: OpenidConfiguration,
): Promise<Configuration> {
  const { org_id, updated_at } = configuration;
  const key = `${org_id} ${updated_at.toISOString()}`;
  const known = providers(services).get(key);
  if (known) return known;
  const connecting = findProvider(services, {
    ...configuration,
    client_secret: unsealClientSecret(services.secrets, configuration),
  });
  providers(services).set(key, connecting);
  return connecting.catch((error: unknown) => {
    providers(services).delete(key);
    throw error;
  });
}

/** A provider, and how this service proves there who it is. */
export type NamedProvider = Pick<OpenidConfiguration, 'issuer' | 'client_id'> & {
  readonly client_secret: string;
};

/** What is wrong with a provider. The message completes "The provider …". */
export class ProviderFault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ProviderFault';
  }
}

/** Fetches the description of a provider. @throws ProviderFault, OutboundError. */
export async function findProvider(
  services: Pick<Services, 'config' | 'fetchOutbound'>,
  { issuer, client_id, client_secret }: NamedProvider,
): Promise<Configuration> {
  const client = await loadClient();
  const { ClientSecretBasic, ClientSecretPost } = client;
  // Deprecated only to stand out. The guard permits http to local addresses alone.
  // oxlint-disable-next-line typescript/no-deprecated
  const allowHttp = services.config.outboundPrivate ? [client.allowInsecureRequests] : [];
  const provider = await client
    .discovery(new URL(issuer), client_id, undefined, undefined, {
      execute: allowHttp,
      timeout: timeout_s,
      [client.customFetch]: buildFetch(services),
    })
    .catch((error: unknown) => {
      const cause = error instanceof Error ? (findOutboundError(error) ?? error) : error;
      throw cause instanceof OutboundError
        ? cause
        : new ProviderFault('does not describe itself at /.well-known/openid-configuration', cause);
    });
  const described = provider.serverMetadata();
  // The library also accepts the template of an issuer, which every organisation of that issuer would pass.
  if (described.issuer !== issuer)
    throw new ProviderFault(`describes itself as another issuer: ${described.issuer.slice(0, 200)}`);
  const connected = new client.Configuration(
    described,
    client_id,
    undefined,
    mayUseBasic(described) ? ClientSecretBasic(client_secret) : ClientSecretPost(client_secret),
  );
  connected[client.customFetch] = buildFetch(services);
  connected.timeout = timeout_s;
  // oxlint-disable-next-line typescript/no-deprecated
  for (const allow of allowHttp) allow(connected);
  // Not only TLS says that a token is the provider's.
  client.enableNonRepudiationChecks(connected);
  return connected;
}

/** RFC 8414 section 2: a provider that names no method takes `client_secret_basic`. */
function mayUseBasic({
  token_endpoint_auth_methods_supported: methods,
}: ReturnType<Configuration['serverMetadata']>): boolean {
  return methods === undefined || methods.includes('client_secret_basic');
}

/** Every request to a provider goes through the guard, which permits only addresses on the public internet, and follows no redirect. */
function buildFetch({ fetchOutbound }: Pick<Services, 'fetchOutbound'>): CustomFetch {
  return async (url, { method, headers, body }) => {
    if (method !== 'GET' && method !== 'POST') throw new ProviderFault(`is not asked by ${method}`);
    const content = body instanceof URLSearchParams ? body.toString() : undefined;
    const response = await fetchOutbound(url, {
      method,
      headers,
      ...(content !== undefined && { body: content }),
      timeout_ms: timeout_s * 1000,
      max_bytes: bytes_max,
      redirects_max: 0,
    });
    return toFetchResponse(response);
  };
}

/** The library wraps what its fetch throws. */
export function findOutboundError(error: Error): OutboundError | undefined {
  if (error instanceof OutboundError) return error;
  return error.cause instanceof Error ? findOutboundError(error.cause) : undefined;
}
