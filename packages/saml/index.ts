export type { Assertion, Confirmation, TimeWindow } from './assertion.ts';
export { readCertificate, readCertificateFacts } from './certificates.ts';
export { decodeXml } from './decode-xml.ts';
export { readIdpMetadata } from './idp-metadata.ts';
export type { Envelope } from './response-form.ts';
export { namespaces } from './saml.ts';
export { SamlError } from './saml-error.ts';
export { buildLoginAddress, buildServiceMetadata, type IdentityProvider } from './signatures.ts';
export { verifyResponse, type VerifiedResponse } from './verify-response.ts';
