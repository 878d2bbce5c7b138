import { expect, test } from 'vitest';
import { readSetUp, splitCertificates } from './read-set-up.ts';

const rest = {
  email_domains: 'harbour.example, harbour.test\nHarbour.Invalid',
  attribute_email: '',
  attribute_name: 'displayName',
  default_role: 'auditor',
  enabled: 'true',
};

test('only the fields of the chosen way are sent', () => {
  const all = {
    ...rest,
    idp_metadata_url: 'https://idp.example/metadata',
    idp_metadata_xml: '<EntityDescriptor/>',
    idp_entity_id: 'idp',
  };
  expect(readSetUp({ ...all, way: 'url' })).toEqual({
    idp_metadata_url: 'https://idp.example/metadata',
    email_domains: ['harbour.example', 'harbour.test', 'Harbour.Invalid'],
    attribute_mapping: { email: 'email', name: 'displayName' },
    default_role: 'auditor',
    allow_idp_initiated: false,
    enabled: true,
  });
  expect(readSetUp({ ...all, way: 'xml' })).toMatchObject({ idp_metadata_xml: '<EntityDescriptor/>' });
  expect(readSetUp({ ...all, way: 'fields' })).toMatchObject({ idp_entity_id: 'idp', idp_certificates: [] });
});

test('certificates that follow each other are split', () => {
  const buildPem = (body: string) => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`;
  expect(splitCertificates(`${buildPem('AA')}\r\n\n${buildPem('BB')}\n`)).toEqual([
    buildPem('AA'),
    buildPem('BB'),
  ]);
  expect(splitCertificates(' MIIC8DCC ')).toEqual(['MIIC8DCC']);
  expect(splitCertificates('  ')).toEqual([]);
});
