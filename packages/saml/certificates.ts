import { X509Certificate } from 'node:crypto';

const rsa_bits_min = 2048;

/** The facts of a certificate that an administrator compares and monitors. */
export type CertificateFacts = {
  /** SHA-256 of the certificate, as hexadecimal pairs. */
  readonly fingerprint: string;
  readonly subject: string;
  readonly not_before: Date;
  readonly not_after: Date;
};

/**
 * Reads a certificate as PEM or bare base64 and returns it as PEM, or describes its fault. Only its key counts: issuer and expiry are shown
 * but not checked, because the organisation has named this certificate itself (SAML metadata interoperability profile section 2.6.1), and
 * an overlooked expiry must not lock all its users out.
 */
export function readCertificate(text: string): { readonly pem: string } | { readonly fault: string } {
  const certificate = parseCertificate(text);
  if (!certificate) return { fault: 'must be an X.509 certificate' };
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  // The signature library supports only RSA keys.
  if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < rsa_bits_min)
    return { fault: `must have an RSA key of at least ${rsa_bits_min} bits` };
  return { pem: certificate.toString() };
}

function parseCertificate(text: string): X509Certificate | undefined {
  // Forms and environment variables write the end of a line as two characters, which base64 does not have.
  const lines = text.replace(/\\[nr]/g, '\n');
  const body = selectBody(lines).replace(/[\s\ufeff]+/g, '');
  if (!/^[A-Za-z0-9+/]{1,20000}={0,2}$/.test(body)) return undefined;
  try {
    return new X509Certificate(Buffer.from(body, 'base64'));
  } catch {
    return undefined;
  }
}

const [pem_begin, pem_end] = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----'];

/** Selects the base64 of a PEM. Tools add explanatory text before and after (RFC 7468, section 2). */
function selectBody(text: string): string {
  const begin = text.indexOf(pem_begin);
  const end = text.indexOf(pem_end, begin + pem_begin.length);
  return begin === -1 || end === -1 ? text : text.slice(begin + pem_begin.length, end);
}

/** Reads the facts of a certificate that {@link readCertificate} returned. */
export function readCertificateFacts(pem: string): CertificateFacts {
  const certificate = new X509Certificate(pem);
  return {
    fingerprint: certificate.fingerprint256,
    subject: certificate.subject.replaceAll('\n', ', '),
    not_before: certificate.validFromDate,
    not_after: certificate.validToDate,
  };
}
