import { SamlError, verifyResponse, type VerifiedResponse } from '@tessera/saml';
import { parseTime } from '#lib/outside-values.ts';
import {
  createMalformedRefusal,
  createResponseRefusal,
  toIdentityProvider,
  type Configuration,
  type ServiceProvider,
} from '../rules.ts';

/**
 * Verifies a response with the keys of the configured identity provider.
 *
 * @throws Refusal `sso_response_malformed`, `sso_response_refused`.
 */
export async function verifySamlResponse(
  xml: string,
  configuration: Configuration,
  service: ServiceProvider,
): Promise<VerifiedResponse> {
  try {
    return await verifyResponse(xml, { provider: toIdentityProvider(configuration), service, parseTime });
  } catch (error) {
    if (!(error instanceof SamlError)) throw error;
    throw error.kind === 'malformed'
      ? createMalformedRefusal(error.message)
      : createResponseRefusal(error.message);
  }
}
