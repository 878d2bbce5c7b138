import type { Services } from '#platform/platform.ts';
import { createUnavailableRefusal, isProviderFault } from './provider-faults.ts';
import { connectProvider, loadClient } from './connect-provider.ts';
import { deriveChecks } from './derive-checks.ts';
import { buildRedirectUri, buildState, type OpenidConfiguration } from './rules.ts';

/**
 * Builds the address at the provider to which a browser goes to log in: an authorization code with PKCE, a state and a nonce.
 *
 * @throws Refusal `sso_provider_unavailable`.
 */
export async function buildOpenidAddress(
  services: Services,
  configuration: OpenidConfiguration,
  { id, relay_state }: { readonly id: string; readonly relay_state: string },
): Promise<string> {
  const [client, provider] = await Promise.all([
    loadClient(),
    connectProvider(services, configuration).catch((error: unknown) => {
      throw isProviderFault(error) ? createUnavailableRefusal(error) : error;
    }),
  ]);
  const { nonce, code_verifier } = deriveChecks(services.secrets, id);
  const address = client.buildAuthorizationUrl(provider, {
    redirect_uri: buildRedirectUri(services.config.publicUrl, configuration.org_id),
    scope: 'openid email',
    state: buildState(id, relay_state),
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
  });
  return address.href;
}
