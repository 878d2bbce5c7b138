/** The namespaces of SAML 2.0 and XML Signature that are read. */
export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;

export const successStatus = 'urn:oasis:names:tc:SAML:2.0:status:Success';
export const bearerMethod = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
export const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

/** SAML core section 5.4.4 allows no other transforms. The variant with comments is not accepted, because comments must have no effect. */
export const exclusiveCanonicalisation = 'http://www.w3.org/2001/10/xml-exc-c14n#';
export const envelopedSignature = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

/** RSA with SHA-2. SHA-1 has collisions. With an HMAC, the public key would serve as the secret, and anyone could sign. */
export const signatureMethods: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
]);

export const digestMethods: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]);

/** Parses a time of RFC 3339, or returns undefined. The caller passes it, so that a service reads times in one way. */
export type ParseTime = (text: string) => Date | undefined;

/** Reads a time, which is in UTC (SAML core section 1.3.3). Some providers therefore leave the zone out. */
export function parseSamlTime(text: string, parseTime: ParseTime): Date | undefined {
  return parseTime(/[Zz]$|[+-]\d\d:\d\d$/.test(text.trim()) ? text : `${text.trim()}Z`);
}
