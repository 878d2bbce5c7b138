import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import { createResponseRefusal, type Envelope } from './response-form.ts';
import type { Configuration, ServiceProvider } from '../rules.ts';

/**
 * Checks the signatures of a response that passed the gate, every one that it has, with the configured certificates and no other key.
 *
 * @returns The assertion, as the canonical text over which a signature was right: nothing else of the response is signed for certain.
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

const incomplete = 'The assertion is not complete.';

/** What the library minds, in our words: whoever sets an identity provider up reads them. */
function describeFault(error: unknown): string {
  const { message } = error as Error;
  if (/signature/i.test(message)) return 'A signature is not one of the configured identity provider.';
  return /audience/i.test(message) ? 'The audience is not us.' : incomplete;
}

/** The address of the identity provider with a new request for it. */
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
    // How somebody signs in, and under which kind of name, is the organisation's own business.
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    // Both are ours to check: by our clock, and in our database.
    acceptedClockSkewMs: -1,
    validateInResponseTo: ValidateInResponseTo.never,
  };
}
