import { expect, test } from 'vitest';
import { readIdpMetadata } from './idp-metadata.ts';

const now = new Date('2026-03-02T09:00:00Z');
const buildKey = (text: string, use = 'use="signing"') =>
  `<KeyDescriptor ${use}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${text}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`;
const service =
  '<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example/"/>';
const buildRole = (inside: string, attributes = '') =>
  `<IDPSSODescriptor ${attributes}>${inside}</IDPSSODescriptor>`;
const buildEntity = (inside: string, attributes = 'entityID="urn:idp"') =>
  `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" ${attributes}>${inside}</EntityDescriptor>`;
const buildFederation = (...inside: readonly string[]) =>
  `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${inside.join('')}</EntitiesDescriptor>`;

const good = buildRole(`${buildKey('AAAA')}${service}`);

test('reads an identity provider with all its signing keys, alone or among service providers', () => {
  const keys = `${buildKey(' AA\n AA ')}${buildKey('BBBB', 'use="encryption"')}${buildKey('CCCC', '')}${buildKey('AAAA')}`;
  const expected = { entity_id: 'urn:idp', sso_url: 'https://idp.example/', certificates: ['AAAA', 'CCCC'] };
  expect(readIdpMetadata(buildEntity(buildRole(keys + service)), now)).toEqual(expected);
  const sp = buildEntity('<SPSSODescriptor/>', 'entityID="urn:sp"');
  expect(
    readIdpMetadata(`\ufeff${buildFederation(sp, buildEntity(buildRole(keys + service)))}`, now),
  ).toEqual(expected);
  const valid = buildEntity(
    buildRole(keys + service),
    'entityID="urn:idp" validUntil="2026-03-02T09:00:01Z"',
  );
  expect(readIdpMetadata(valid, now)).toEqual(expected);
});

test.each([
  ['no identity provider', buildEntity('<SPSSODescriptor/>'), 'exactly one identity provider, not 0'],
  ['another SAML version', buildEntity(good).replace('SAML:2.0', 'SAML:1.0'), 'identity provider, not 0'],
  [
    'two identity providers',
    buildFederation(buildEntity(good), buildEntity(good)),
    'identity provider, not 2',
  ],
  ['no entity id', buildEntity(good, ''), 'must have an entityID'],
  ['no key', buildEntity(buildRole(service)), 'must have a signing certificate'],
  [
    'keys for encryption only',
    buildEntity(buildRole(buildKey('AAAA', 'use="encryption"') + service)),
    'must have a signing certificate',
  ],
  ['no login address', buildEntity(buildRole(buildKey('AAAA'))), 'must have a SingleSignOnService'],
  [
    'a login address for another binding only',
    buildEntity(good).replace('HTTP-Redirect', 'SOAP'),
    'must have a SingleSignOnService',
  ],
  [
    'an expiry that has passed',
    buildEntity(good, 'entityID="a" validUntil="2026-03-02T09:00:00Z"'),
    'expired',
  ],
  ['an invalid expiry', buildEntity(good, 'entityID="a" validUntil="never"'), 'expired'],
  [
    'a role that has expired',
    buildEntity(buildRole(buildKey('A') + service, 'validUntil="2020-01-01T00:00:00Z"')),
    'expired',
  ],
  ['a document type', `<!DOCTYPE a>${buildEntity(good)}`, 'document type'],
  ['a text that is not XML', 'hello', 'well-formed'],
])('refuses metadata with %s', (_, xml, reason) => {
  expect(readIdpMetadata(xml, now)).toEqual({ fault: expect.stringContaining(reason) });
});
