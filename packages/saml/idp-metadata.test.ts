import { expect, test } from 'vitest';
import { readIdpMetadata } from './idp-metadata.ts';
import { createCertificate, buildIdpMetadata, idp, toBareBase64, parseTime } from './testing.ts';

const clock = { now: new Date('2026-03-02T09:00:00Z'), parseTime };
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

const pem = idp.identity.certificate;
const other = createCertificate({ name: 'other' }).certificate;
const [bare, bareOther] = [toBareBase64(pem), toBareBase64(other)];
const good = buildRole(`${buildKey(bare)}${service}`);

test('reads an identity provider with all its signing keys, alone or among service providers', () => {
  const spaced = ` ${bare.slice(0, 64)}\n ${bare.slice(64)} `;
  const encryption = toBareBase64(createCertificate().certificate);
  const keys = `${buildKey(spaced)}${buildKey(encryption, 'use="encryption"')}${buildKey(bareOther, '')}${buildKey(bare)}`;
  const expected = { entity_id: 'urn:idp', sso_url: 'https://idp.example/', certificates: [pem, other] };
  expect(readIdpMetadata(buildEntity(buildRole(keys + service)), clock)).toEqual(expected);
  const sp = buildEntity('<SPSSODescriptor/>', 'entityID="urn:sp"');
  expect(
    readIdpMetadata(`\ufeff${buildFederation(sp, buildEntity(buildRole(keys + service)))}`, clock),
  ).toEqual(expected);
  const valid = buildEntity(
    buildRole(keys + service),
    'entityID="urn:idp" validUntil="2026-03-02T09:00:01Z"',
  );
  expect(readIdpMetadata(valid, clock)).toEqual(expected);
});

const metadata = buildIdpMetadata();
const expected = { entity_id: idp.entity_id, sso_url: idp.sso_url, certificates: [pem] };
const expired = createCertificate({ not_after: new Date('2026-01-01T00:00:00Z') }).certificate;
const body = metadata.replace(/^<\?xml.*?\?>/, '');
const replaceCertificate = (text: string) => metadata.replace(bare, text);
const addKey = (key: string) => metadata.replace('<md:KeyDescriptor', `${key}<md:KeyDescriptor`);
const addCertificate = (text: string) =>
  addKey(
    `<md:KeyDescriptor><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${text}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
  );

test.each<[string, string]>([
  ['an empty first line', `\r\n ${metadata}`],
  ['a byte order mark', `\ufeff${metadata}`],
  ['a byte order mark and an empty line', `\ufeff\n${metadata}`],
  ['no declaration', body],
  ['the encoding utf-8', `<?xml version="1.0" encoding="utf-8" standalone="no"?>${body}`],
  ['the encoding UTF-16', `<?xml version="1.0" encoding="UTF-16"?>${body}`],
  ['the encoding ISO-8859-1', `<?xml version='1.0' encoding='ISO-8859-1'?>${body}`],
  ['a version of its own', `<?xml version="1.1" encoding="UTF-8"?>${body}`],
  ['a comment and an instruction after its end', `${metadata}<!-- end --><?end?>`],
  ['a certificate in a section', replaceCertificate(`<![CDATA[${bare}]]>`)],
  [
    'a name in a section',
    metadata.replace('<md:IDP', '<md:Extensions><![CDATA[<a>&b;]]></md:Extensions><md:IDP'),
  ],
  ['a certificate with its header lines', replaceCertificate(pem)],
  ['a certificate with the line ends of another system', replaceCertificate(pem.replaceAll('\n', '&#13;\n'))],
  ['a garbled certificate beside a usable one', addCertificate('garbled')],
  ['an empty certificate beside a usable one', addCertificate('')],
  [
    'a certificate of another kind of key',
    addCertificate(toBareBase64(createCertificate({ elliptic: true }).certificate)),
  ],
  [
    'a weak certificate beside a usable one',
    addCertificate(toBareBase64(createCertificate({ bits: 1024 }).certificate)),
  ],
  [
    'a key that has a name alone',
    addKey(
      '<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:KeyName>k</ds:KeyName></ds:KeyInfo></md:KeyDescriptor>',
    ),
  ],
  [
    'space around its addresses',
    metadata.replace(idp.entity_id, ` ${idp.entity_id} `).replace(idp.sso_url, `\n${idp.sso_url}`),
  ],
  [
    'an expiry in another zone',
    metadata.replace('entityID', 'validUntil="2026-03-02T11:00:00+01:00" entityID'),
  ],
  ['an expiry without a zone', metadata.replace('entityID', 'validUntil="2026-03-02T09:00:01" entityID')],
])('reads metadata with %s', (_, xml) => {
  expect(readIdpMetadata(xml, clock)).toEqual(expected);
});

test('keeps an expired certificate, because only its key counts', () => {
  expect(readIdpMetadata(addCertificate(toBareBase64(expired)), clock)).toEqual({
    ...expected,
    certificates: [expired, pem],
  });
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
    buildEntity(buildRole(buildKey(bare, 'use="encryption"') + service)),
    'must have a signing certificate',
  ],
  ['no login address', buildEntity(buildRole(buildKey(bare))), 'must have a SingleSignOnService'],
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
  ['an invalid expiry', buildEntity(good, 'entityID="a" validUntil="never"'), 'a time as its validUntil'],
  [
    'weak and garbled keys only',
    buildEntity(
      buildRole(
        buildKey(toBareBase64(createCertificate({ bits: 1024 }).certificate)) + buildKey('AAAA') + service,
      ),
    ),
    'which must have an RSA key of at least 2048 bits and must be an X.509 certificate',
  ],
  ['the text of a page', '\n<!DOCTYPE html><html></html>', 'is a web page'],
  ['the description of another protocol', '\ufeff{"issuer":"https://idp.example"}', 'is JSON'],
  ['a certificate alone', pem, 'is a certificate'],
  ['nothing', ' \n', 'is empty'],
  [
    'a role that has expired',
    buildEntity(buildRole(buildKey(bare) + service, 'validUntil="2020-01-01T00:00:00Z"')),
    'expired',
  ],
  ['entities', `<!DOCTYPE a [<!ENTITY b "c">]>${buildEntity(good)}`, 'document type'],
  ['a document type', `<!DOCTYPE a>${buildEntity(good)}`, 'document type'],
  ['a text that is not XML', 'hello', 'well-formed'],
])('refuses metadata with %s', (_, xml, reason) => {
  expect(readIdpMetadata(xml, clock)).toEqual({ fault: expect.stringContaining(reason) });
});
