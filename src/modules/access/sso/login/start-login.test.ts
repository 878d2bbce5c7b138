import { namespaces } from '@tessera/saml';
import { readXml, findAttribute, listNamedChildren, readText } from '@tessera/saml/xml';
import { expect, test } from 'vitest';
import { idp } from '@tessera/saml/testing';
import { sql } from '#platform/database/database.ts';
import { unknownId, startApp } from '#test/harness.ts';
import { createSsoOrganisation, startSsoLogin } from '#test/modules/sso.ts';

const app = await startApp();
const ours = await createSsoOrganisation(app);

test('redirects the browser to the identity provider with a stored request', async () => {
  const { address, request, id, cookies } = await startSsoLogin(app, ours, '/console');
  expect(address.href.startsWith(`${idp.sso_url}&`)).toBe(true);
  expect(address.searchParams.get('RelayState')).toBe('/console');
  const xml = readXml(request);
  expect([xml.name, xml.namespace]).toEqual(['AuthnRequest', namespaces.protocol]);
  expect(findAttribute(xml, 'AssertionConsumerServiceURL')).toBe(ours.acs);
  expect(findAttribute(xml, 'Destination')).toBe(idp.sso_url);
  expect(listNamedChildren(xml, namespaces.assertion, 'Issuer').map(readText)).toEqual([ours.sp]);
  const row = await app.sql.one(
    sql<Record<string, unknown>>`select org_id, expires_at from sso_requests where id = ${id}`,
  );
  expect(row).toEqual({ org_id: ours.org_id, expires_at: new Date(app.clock.now().getTime() + 600_000) });
  expect(cookies).toEqual({ sso_browser: expect.stringMatching(/^[\w-]{43}$/) });
});

test('the browser sends the login cookie from other sites, and to the login paths only', async () => {
  const { headers } = await app.request('GET', `/auth/sso/${ours.org_id}/login`);
  const [cookie] = [headers['set-cookie']].flat();
  expect(cookie).toMatch(/; Max-Age=600; Path=\/api\/v1\/auth\/sso; HttpOnly; Secure; SameSite=None$/);
});

test('sends no RelayState unless one is given, and a new id with each request', async () => {
  const [one, other] = [await startSsoLogin(app, ours), await startSsoLogin(app, ours)];
  expect(one.address.searchParams.has('RelayState')).toBe(false);
  expect(one.id).not.toBe(other.id);
});

test.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/a b', 'x', `/${'a'.repeat(80)}`])(
  'rejects the RelayState %j, which is not a path on this origin',
  async (relay_state) => {
    const query = `relay_state=${encodeURIComponent(relay_state)}`;
    const { status, body, cookies } = await app.request('GET', `/auth/sso/${ours.org_id}/login?${query}`);
    expect([status, body.errors[0].pointer, cookies]).toEqual([422, '/relay_state', {}]);
  },
);

test('replies 404 for an organisation without single sign-on', async () => {
  const off = await createSsoOrganisation(app, { enabled: false });
  for (const org_id of [off.org_id, (await app.registerOrgAdmin()).org_id, unknownId]) {
    const { status, body, headers } = await app.request('GET', `/auth/sso/${org_id}/login`);
    expect([status, body.code, headers['location']]).toEqual([404, 'sso_not_configured', undefined]);
  }
});
