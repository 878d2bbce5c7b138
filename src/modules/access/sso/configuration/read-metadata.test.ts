import { namespaces } from '@tessera/saml';
import { findAttribute, listNamedChildren, readXml } from '@tessera/saml/xml';
import { expect, test } from 'vitest';
import { unknownId, startApp } from '#test/harness.ts';
import { createOperatorOrganisation } from '#test/modules/sso.ts';

const app = await startApp({ TESSERA_PUBLIC_URL: 'https://tessera.example' });

test('returns the metadata of the service provider before single sign-on is configured', async () => {
  const { org_id } = await createOperatorOrganisation(app);
  const at = `/auth/sso/${org_id}/metadata`;
  const { status, headers, body } = await app.request('GET', at);
  expect([status, headers['content-type']]).toEqual([200, 'application/samlmetadata+xml']);
  const entity = readXml(body);
  expect([entity.name, entity.namespace]).toEqual(['EntityDescriptor', namespaces.metadata]);
  expect(findAttribute(entity, 'entityID')).toBe(`https://tessera.example/api/v1${at}`);
  const [role] = listNamedChildren(entity, namespaces.metadata, 'SPSSODescriptor');
  expect(findAttribute(role!, 'WantAssertionsSigned')).toBe('true');
  const [service] = listNamedChildren(role!, namespaces.metadata, 'AssertionConsumerService');
  expect([findAttribute(service!, 'Binding'), findAttribute(service!, 'Location')]).toEqual([
    'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
    `https://tessera.example/api/v1/auth/sso/${org_id}/acs`,
  ]);
  expect((await app.request('GET', at)).body).toBe(body);
});

test('replies for an organisation below tier E3 Operator as for one that does not exist', async () => {
  const low = (await app.registerOrgAdmin()).org_id;
  for (const org_id of [low, unknownId]) {
    const { status, body } = await app.request('GET', `/auth/sso/${org_id}/metadata`);
    expect([status, body.code]).toEqual([404, 'sso_not_configured']);
  }
  expect((await app.request('GET', '/auth/sso/me/metadata')).status).toBe(422);
});
