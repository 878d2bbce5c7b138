import { X509Certificate } from 'node:crypto';

const rsa_bits_min = 2048;

/** What people compare and watch of a certificate. */
export type CertificateFacts = {
  /** SHA-256 of the whole, as hexadecimal pairs. */
  readonly fingerprint: string;
  readonly subject: string;
  readonly not_before: Date;
  readonly not_after: Date;
};

/**
 * Reads a certificate, PEM or bare base64, and writes it as PEM; or says what is wrong with it. It stands for its key alone: who signed it
 * and when it ends is shown and not checked, because the organisation has named this very certificate (SAML metadata interoperability
 * profile section 2.6.1), and a forgotten date must not lock everybody out.
 */
export function readCertificate(text: string): { readonly pem: string } | { readonly fault: string } {
  const parsed = parseCertificate(text);
  if (!parsed) return { fault: 'is not an X.509 certificate' };
  const { asymmetricKeyType, asymmetricKeyDetails } = parsed.publicKey;
  // The signature library knows no other keys than RSA.
  if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < rsa_bits_min)
    return { fault: `does not hold an RSA key of at least ${rsa_bits_min} bits` };
  return { pem: parsed.toString() };
}

function parseCertificate(text: string): X509Certificate | undefined {
  const body = text.replace(/-----(?:BEGIN|END) CERTIFICATE-----/g, '').replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]{1,20000}={0,2}$/.test(body)) return undefined;
  try {
    return new X509Certificate(Buffer.from(body, 'base64'));
  } catch {
    return undefined;
  }
}

/** The facts of a certificate that {@link readCertificate} wrote. */
export function readCertificateFacts(pem: string): CertificateFacts {
  const certificate = new X509Certificate(pem);
  return {
    fingerprint: certificate.fingerprint256,
    subject: certificate.subject.replaceAll('\n', ', '),
    not_before: certificate.validFromDate,
    not_after: certificate.validToDate,
  };
}
