import { expect, test } from 'vitest';
import { readIdpMetadata } from './idp-metadata.ts';

const now = new Date('2026-03-02T09:00:00Z');
const key = (text: string, use = 'use="signing"') =>
  `<KeyDescriptor ${use}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${text}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`;
const service =
  '<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example/"/>';
const role = (inside: string, attributes = '') =>
  `<IDPSSODescriptor ${attributes}>${inside}</IDPSSODescriptor>`;
const entity = (inside: string, attributes = 'entityID="urn:idp"') =>
  `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" ${attributes}>${inside}</EntityDescriptor>`;
const federation = (...inside: readonly string[]) =>
  `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${inside.join('')}</EntitiesDescriptor>`;

const good = role(`${key('AAAA')}${service}`);

test('the identity provider is read, alone or among service providers, with all its signing keys', () => {
  const keys = `${key(' AA\n AA ')}${key('BBBB', 'use="encryption"')}${key('CCCC', '')}${key('AAAA')}`;
  const expected = { entity_id: 'urn:idp', sso_url: 'https://idp.example/', certificates: ['AAAA', 'CCCC'] };
  expect(readIdpMetadata(entity(role(keys + service)), now)).toEqual(expected);
  const sp = entity('<SPSSODescriptor/>', 'entityID="urn:sp"');
  expect(readIdpMetadata(`\ufeff${federation(sp, entity(role(keys + service)))}`, now)).toEqual(expected);
  const valid = entity(role(keys + service), 'entityID="urn:idp" validUntil="2026-03-02T09:00:01Z"');
  expect(readIdpMetadata(valid, now)).toEqual(expected);
});

test.each([
  ['no identity provider', entity('<SPSSODescriptor/>'), 'describes 0 identity providers'],
  ['another vocabulary', entity(good).replace('SAML:2.0', 'SAML:1.0'), 'describes 0'],
  ['two of them', federation(entity(good), entity(good)), 'describes 2'],
  ['no name', entity(good, ''), 'no entityID'],
  ['no key', entity(role(service)), 'no signing certificate'],
  [
    'keys for encryption only',
    entity(role(key('AAAA', 'use="encryption"') + service)),
    'no signing certificate',
  ],
  ['no address', entity(role(key('AAAA'))), 'no SingleSignOnService'],
  ['an address for another binding', entity(good).replace('HTTP-Redirect', 'SOAP'), 'no SingleSignOnService'],
  ['an end that has come', entity(good, 'entityID="a" validUntil="2026-03-02T09:00:00Z"'), 'out of date'],
  ['an end that cannot be read', entity(good, 'entityID="a" validUntil="never"'), 'out of date'],
  [
    'a role that has ended',
    entity(role(key('A') + service, 'validUntil="2020-01-01T00:00:00Z"')),
    'out of date',
  ],
  ['a document type', `<!DOCTYPE a>${entity(good)}`, 'document type'],
  ['no XML', 'hello', 'well-formed'],
])('metadata with %s is refused', (_, xml, reason) => {
  expect(readIdpMetadata(xml, now)).toEqual({ fault: expect.stringContaining(reason) });
});
