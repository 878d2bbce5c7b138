import { randomBytes } from 'node:crypto';
import { SignedXml } from 'xml-crypto';
import { createCertificate, type Identity } from './create-certificate.ts';

export { createCertificate };

/** The identity provider of the tests. */
export const idp = {
  entity_id: 'https://idp.harbour.example/metadata',
  sso_url: 'https://idp.harbour.example/login?tenant=7',
  identity: createCertificate({ name: 'idp.harbour.example' }),
} as const;

export const domain = 'harbour.example';

/** The entity id and the response address of an organisation's service provider. */
export type ServiceAddresses = { readonly sp: string; readonly acs: string };

/** The content of a response. The fields are put into the XML without escaping, so that tests can inject markup. */
export type ResponseContent = {
  readonly response_id?: string;
  readonly assertion_id?: string;
  readonly status?: string;
  readonly destination?: string | null;
  readonly response_issuer?: string | null;
  readonly response_in_response_to?: string | null;
  readonly issuer?: string;
  readonly in_response_to?: string | null;
  readonly recipient?: string;
  readonly audience?: string;
  readonly issued_at?: Date;
  readonly not_before?: Date;
  readonly not_on_or_after?: Date;
  readonly confirmation_ends?: Date | null;
  readonly session_ends?: Date;
  readonly method?: string;
  readonly name_id?: string;
  readonly email?: string;
  /** Replaces the attribute statement. */
  readonly attributes?: string;
  /** XML before the audience restriction. */
  readonly conditions?: string;
  /** XML after the conditions. */
  readonly advice?: string;
  readonly authenticated?: boolean;
};

const formatAttribute = (name: string, value: string | null | undefined) =>
  value === null || value === undefined ? '' : ` ${name}="${value}"`;
const addMinutes = (date: Date, minutes: number) => new Date(date.getTime() + minutes * 60_000);

export function createId(): string {
  return `_${randomBytes(16).toString('hex')}`;
}

/** Builds the XML of an unsigned response. */
export function buildResponseXml(
  service: ServiceAddresses,
  now: Date,
  content: ResponseContent = {},
): string {
  const at = now.toISOString();
  const { destination = service.acs, response_issuer = idp.entity_id, in_response_to = null } = content;
  const { response_in_response_to = in_response_to, status = 'Success' } = content;
  return (
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"` +
    ` ID="${content.response_id ?? createId()}" Version="2.0" IssueInstant="${at}"${formatAttribute('Destination', destination)}` +
    `${formatAttribute('InResponseTo', response_in_response_to)}>` +
    (response_issuer === null ? '' : `<saml:Issuer>${response_issuer}</saml:Issuer>`) +
    `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>` +
    `${buildAssertionXml(service, now, content)}</samlp:Response>`
  );
}

export function buildAssertionXml(
  service: ServiceAddresses,
  now: Date,
  content: ResponseContent = {},
): string {
  const { issued_at = now, email = `ada@${domain}`, confirmation_ends = addMinutes(now, 5) } = content;
  const session = formatAttribute('SessionNotOnOrAfter', content.session_ends?.toISOString());
  return (
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${content.assertion_id ?? createId()}" Version="2.0"` +
    ` IssueInstant="${issued_at.toISOString()}"><saml:Issuer>${content.issuer ?? idp.entity_id}</saml:Issuer>` +
    `<saml:Subject><saml:NameID>${content.name_id ?? email}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="${content.method ?? 'urn:oasis:names:tc:SAML:2.0:cm:bearer'}"><saml:SubjectConfirmationData` +
    `${formatAttribute('NotOnOrAfter', confirmation_ends?.toISOString())} Recipient="${content.recipient ?? service.acs}"` +
    `${formatAttribute('InResponseTo', content.in_response_to)}/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${(content.not_before ?? addMinutes(now, -1)).toISOString()}"` +
    ` NotOnOrAfter="${(content.not_on_or_after ?? addMinutes(now, 5)).toISOString()}">${content.conditions ?? ''}` +
    `<saml:AudienceRestriction><saml:Audience>${content.audience ?? service.sp}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    (content.advice ?? '') +
    (content.authenticated === false
      ? ''
      : `<saml:AuthnStatement AuthnInstant="${now.toISOString()}"${session}/>`) +
    `${content.attributes ?? buildAttributeStatement({ email })}</saml:Assertion>`
  );
}

export function buildAttributeStatement(attributes: Readonly<Record<string, string>>): string {
  const elements = Object.entries(attributes).map(
    ([name, value]) =>
      `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
  );
  return `<saml:AttributeStatement>${elements.join('')}</saml:AttributeStatement>`;
}

export type SigningOptions = {
  readonly by?: Identity;
  readonly method?: string;
  readonly digest?: string;
  readonly canonicalisation?: string;
  readonly transforms?: readonly string[];
};

export const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

/** Signs the response or its assertion, by default with the identity provider's key. */
export function signXml(xml: string, over: 'Response' | 'Assertion', signing: SigningOptions = {}): string {
  const { by = idp.identity, method = rsaSha256, canonicalisation = exclusive } = signing;
  const signer = new SignedXml({
    privateKey: by.privateKey,
    publicCert: by.certificate,
    signatureAlgorithm: method,
    canonicalizationAlgorithm: canonicalisation,
  });
  if (method.includes('hmac')) {
    // The attack under test uses the public text of the certificate as the secret.
    signer.enableHMAC();
    signer.privateKey = by.certificate;
  }
  const at = over === 'Response' ? '/*' : "/*/*[local-name(.)='Assertion']";
  signer.addReference({
    xpath: at,
    digestAlgorithm: signing.digest ?? 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: [...(signing.transforms ?? [enveloped, canonicalisation])],
  });
  signer.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: `${at}/*[local-name(.)='Issuer']`, action: 'after' },
  });
  return signer.getSignedXml();
}

/** Extracts the base64 of a PEM. */
export function toBareBase64(pem: string): string {
  return pem.replace(/-----.*-----|\n/g, '');
}

/** Builds the metadata of the identity provider. */
export function buildIdpMetadata({
  certificates = [idp.identity.certificate],
  location = idp.sso_url,
}: { readonly certificates?: readonly string[]; readonly location?: string } = {}): string {
  const keys = certificates.map(
    (pem) =>
      `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${toBareBase64(pem)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
  );
  const services = [
    ['POST', 'https://post.example/'],
    ['Redirect', location],
  ].map(
    ([binding, at]) =>
      `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-${binding}" Location="${at}"/>`,
  );
  return (
    `<?xml version="1.0" encoding="UTF-8"?><!-- test --><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"` +
    ` xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${idp.entity_id}">` +
    `<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keys.join('')}${services.join('')}` +
    `</md:IDPSSODescriptor></md:EntityDescriptor>`
  );
}

/** Reads the times that the tests write. */
export function parseTime(text: string): Date | undefined {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
