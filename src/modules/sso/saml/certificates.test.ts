import { expect, test } from 'vitest';
import { createCertificate } from '#test/certificate.ts';
import { readCertificateFacts, readCertificate } from './certificates.ts';
import { toBareBase64 } from '#test/modules/sso.ts';

const fault = 'does not hold an RSA key of at least 2048 bits';

/** Its key is for RSA-PSS alone: the signatures of most algorithms that we take cannot be checked with it. */
const forPssAlone = [
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

test('a certificate is read as PEM and bare, and kept as the same PEM', () => {
  const { certificate } = createCertificate({ name: 'idp' });
  expect(readCertificate(certificate)).toEqual({ pem: certificate });
  expect(readCertificate(`\n ${toBareBase64(certificate)}\r\n`)).toEqual({ pem: certificate });
});

test('a certificate holds an RSA key that is strong enough, of the kind that signs with every algorithm that we take', () => {
  expect(readCertificate(createCertificate({ bits: 1024 }).certificate)).toEqual({ fault });
  expect(readCertificate(createCertificate({ elliptic: true }).certificate)).toEqual({ fault });
  expect(readCertificate(forPssAlone)).toEqual({ fault });
});

test.each(['', 'hello', 'AAAA', '-----BEGIN CERTIFICATE-----', 'A'.repeat(30_000)])(
  'what is no certificate is said to be none: %j',
  (text) => {
    expect(readCertificate(text)).toEqual({ fault: 'is not an X.509 certificate' });
  },
);

test('of a certificate its fingerprint, its subject and its dates are told', () => {
  const not_before = new Date('2026-01-01T00:00:00Z');
  const not_after = new Date('2026-12-31T23:59:59Z');
  const { certificate } = createCertificate({ name: 'idp', not_before, not_after });
  const facts = { subject: 'CN=idp', not_before, not_after };
  expect(readCertificateFacts(certificate)).toEqual({
    ...facts,
    fingerprint: expect.stringMatching(/^([\dA-F]{2}:){31}/),
  });
});
