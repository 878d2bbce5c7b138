import { expect, test } from 'vitest';
import { readCertificateFacts, readCertificate } from './certificates.ts';
import { createCertificate, toBareBase64 } from './testing.ts';

const fault = 'must have an RSA key of at least 2048 bits';

/** A certificate whose key is restricted to RSA-PSS, and cannot verify most of the accepted signature algorithms. */
const pssCertificate = [
  'MIIDZTCCAhigAwIBAgIUD4mEDv9d2XcjauT23SR42GeXNrowQgYJKoZIhvcNAQEKMDWgDzANBglghkgBZQMEAgEFAKEcMBoGCSqG',
  'SIb3DQEBCDANBglghkgBZQMEAgEFAKIEAgIA3jAOMQwwCgYDVQQDDANwc3MwHhcNMjYxMTIxMTI1OTQzWhcNMzYxMTE4MTI1OTQz',
  'WjAOMQwwCgYDVQQDDANwc3MwggEgMAsGCSqGSIb3DQEBCgOCAQ8AMIIBCgKCAQEA0/mxrGuLbLJSK/pQFBaGd246LsCwgSMrl2LA',
  'qsiEj0AUdN7ofnuXJzAznOqtLPv8OpCwZlRuffp14m54COtChipbpZJMMIHkg3TIS/zGgZdbMixR6bVrvUVSFcYDzFFxAQmNRck2',
  'ZcEaJ/jaH5pO1q/hhN+o36CultAlM+CEzPzot7VdtqaS/oOzv7idwYi5dJxNLd9rUW57OUhXe0q+2SYcdmyO2Qi61XgecAJwvrWz',
  '9XbjWFTb7shO+IxB6jBMINsevUl9Ib60UlyeSpXKwHwNjTrWc/Me40a0drGHdE4M353qGGjGuo6Ca8SZlaaS5KL2Nqmeyqd15k/R',
  'IrM1uQIDAQABo1MwUTAdBgNVHQ4EFgQUisnRE48jmxlNml4tpZ4A+hsI5bwwHwYDVR0jBBgwFoAUisnRE48jmxlNml4tpZ4A+hsI',
  '5bwwDwYDVR0TAQH/BAUwAwEB/zBCBgkqhkiG9w0BAQowNaAPMA0GCWCGSAFlAwQCAQUAoRwwGgYJKoZIhvcNAQEIMA0GCWCGSAFl',
  'AwQCAQUAogQCAgDeA4IBAQAA5s0hxarxFFaAwR5HCmTFcg0xkLOR9gM3ahCn20ARgXrCse49SZhDIiV9mzF7Br+TvaAq+6gvPKNk',
  'CfDxziqYsCmrlVlJA4ipHAn1jMJEAthpxO/4Bs68CVqIsgLQZiDVeW0UKtqvGRFfW4xsxBD7jm+OlfSipprcJMYwF8sBMUAVxbJM',
  'FsjCMdZNYjBSvBCLip8MfN+I3H/iTjN97yjLWaxatij6PbmzNFEAETXfAbykN1soBYH+CCnsLx7AnMBZupKahnnM8U4OHpW54/U0',
  'H/28XrsSYwsGPTSwAcxzMq0qDnb3hq3YN/DtQ2XKUhshiokX28t/PXrWxVJk4L8o',
].join('');

test('reads a certificate as PEM or bare base64, and returns the same PEM', () => {
  const { certificate } = createCertificate({ name: 'idp' });
  expect(readCertificate(certificate)).toEqual({ pem: certificate });
  expect(readCertificate(`\n ${toBareBase64(certificate)}\r\n`)).toEqual({ pem: certificate });
});

test.each<[string, (pem: string) => string]>([
  [
    'with the text of a tool around it',
    (pem) => `Bag Attributes\n  friendlyName: idp\n${pem}\nfriendlyName: idp`,
  ],
  ['with a byte order mark', (pem) => `\ufeff${pem}`],
  ['in one line', (pem) => pem.replaceAll('\n', ' ')],
  ['with its line ends as two characters', (pem) => pem.replaceAll('\n', String.raw`\n`)],
])('reads a certificate %s', (_, write) => {
  const { certificate } = createCertificate({ name: 'idp' });
  expect(readCertificate(write(certificate))).toEqual({ pem: certificate });
});

test('refuses a certificate with a weak key, an elliptic-curve key or a key restricted to RSA-PSS', () => {
  expect(readCertificate(createCertificate({ bits: 1024 }).certificate)).toEqual({ fault });
  expect(readCertificate(createCertificate({ elliptic: true }).certificate)).toEqual({ fault });
  expect(readCertificate(pssCertificate)).toEqual({ fault });
});

test.each(['', 'hello', 'AAAA', '-----BEGIN CERTIFICATE-----', 'A'.repeat(30_000)])(
  'refuses %j, which is not a certificate',
  (text) => {
    expect(readCertificate(text)).toEqual({ fault: 'must be an X.509 certificate' });
  },
);

test('returns the fingerprint, the subject and the dates of a certificate', () => {
  const not_before = new Date('2026-01-01T00:00:00Z');
  const not_after = new Date('2026-12-31T23:59:59Z');
  const { certificate } = createCertificate({ name: 'idp', not_before, not_after });
  const facts = { subject: 'CN=idp', not_before, not_after };
  expect(readCertificateFacts(certificate)).toEqual({
    ...facts,
    fingerprint: expect.stringMatching(/^([\dA-F]{2}:){31}/),
  });
});
