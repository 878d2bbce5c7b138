import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import type { Configuration, ServiceProvider } from '../rules.ts';
import { createResponseRefusal, type Envelope } from './response-form.ts';

/**
 * Verifies all signatures of a response that passed `checkResponseForm`, with the keys of the configured certificates only.
 *
 * @returns The assertion as the canonical text that was verified; no other part of the response is certainly signed.
 * @throws Refusal `sso_response_refused`.
 */
export async function verifyAssertion(
  xml: string,
  { signs }: Envelope,
  configuration: Configuration,
  service: ServiceProvider,
): Promise<string> {
  const saml = new SAML({
    ...buildSamlOptions(configuration, service),
    wantAuthnResponseSigned: signs.response,
    wantAssertionsSigned: signs.assertion,
  });
  try {
    const SAMLResponse = Buffer.from(xml).toString('base64');
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse });
    if (profile?.getAssertionXml) return profile.getAssertionXml();
  } catch (error) {
    throw createResponseRefusal(describeFault(error));
  }
  throw createResponseRefusal(incomplete);
}

const incomplete = 'The assertion is incomplete.';

/** Replaces the library's messages by sentences for the administrator who sets up an identity provider. */
function describeFault(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/signature/i.test(message))
    return 'A signature was not made with a key of the configured identity provider.';
  return /audience/i.test(message) ? 'The audience of the assertion is not this service.' : incomplete;
}

/** Builds the login address of the identity provider, with a new request in it. */
export function buildLoginAddress(
  request_id: string,
  relay_state: string,
  configuration: Configuration,
  service: ServiceProvider,
): Promise<string> {
  const saml = new SAML({ ...buildSamlOptions(configuration, service), generateUniqueId: () => request_id });
  return saml.getAuthorizeUrlAsync(relay_state, undefined, {});
}

function buildSamlOptions(configuration: Configuration, { sp_entity_id, acs_url }: ServiceProvider) {
  return {
    issuer: sp_entity_id,
    audience: sp_entity_id,
    callbackUrl: acs_url,
    entryPoint: configuration.idp_sso_url,
    idpCert: [...configuration.idp_certificates],
    // The organisation decides how its users authenticate, and which kind of name identifies them.
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    // The service checks both itself, with its own clock and database.
    acceptedClockSkewMs: -1,
    validateInResponseTo: ValidateInResponseTo.never,
  };
}
