import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import type { IdpDescription } from './idp-metadata.ts';
import type { Envelope } from './response-form.ts';
import { SamlError } from './saml-error.ts';

/** What is used of an identity provider; the certificates are PEM. */
export type IdentityProvider = Pick<IdpDescription, 'sso_url' | 'certificates'>;

/** The entity id of this service, and the address to which responses are posted. */
export type ServiceProvider = { readonly sp_entity_id: string; readonly acs_url: string };

/**
 * Verifies all signatures of a response that passed `checkResponseForm`, with the keys of the provider’s certificates only.
 *
 * @returns The assertion as the canonical text that was verified; no other part of the response is certainly signed.
 * @throws SamlError `refused`.
 */
export async function verifyAssertion(
  xml: string,
  { signs }: Envelope,
  provider: IdentityProvider,
  service: ServiceProvider,
): Promise<string> {
  const saml = new SAML({
    ...buildSamlOptions(provider, service),
    wantAuthnResponseSigned: signs.response,
    wantAssertionsSigned: signs.assertion,
  });
  try {
    const SAMLResponse = Buffer.from(xml).toString('base64');
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse });
    if (profile?.getAssertionXml) return profile.getAssertionXml();
  } catch (error) {
    throw new SamlError('refused', describeFault(error));
  }
  throw new SamlError('refused', incomplete);
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
  provider: IdentityProvider,
  service: ServiceProvider,
): Promise<string> {
  const saml = new SAML({ ...buildSamlOptions(provider, service), generateUniqueId: () => request_id });
  return saml.getAuthorizeUrlAsync(relay_state, undefined, {});
}

/** Builds the SAML metadata of this service. The same id gives the same text, so that two downloads can be compared. */
export function buildServiceMetadata(id: string, { sp_entity_id, acs_url }: ServiceProvider): string {
  return generateServiceProviderMetadata({
    issuer: sp_entity_id,
    callbackUrl: acs_url,
    identifierFormat: null,
    wantAssertionsSigned: true,
    generateUniqueId: () => id,
  });
}

function buildSamlOptions(
  { sso_url, certificates }: IdentityProvider,
  { sp_entity_id, acs_url }: ServiceProvider,
) {
  return {
    issuer: sp_entity_id,
    audience: sp_entity_id,
    callbackUrl: acs_url,
    entryPoint: sso_url,
    idpCert: [...certificates],
    // The organisation decides how its users authenticate, and which kind of name identifies them.
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    // The caller checks both, with its own clock and database.
    acceptedClockSkewMs: -1,
    validateInResponseTo: ValidateInResponseTo.never,
  };
}
