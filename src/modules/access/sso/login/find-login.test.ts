import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { buildConfigurationBody, createSsoOrganisation } from '#test/modules/sso.ts';

const publicUrl = 'https://tessera.example';

const app = await startApp({ TESSERA_PUBLIC_URL: publicUrl });

const find = (body: object) => app.request('POST', '/auth/sso/discover', { body });

test('finds the login of the organisation that holds the domain, in any spelling and for any address', async () => {
  const { org_id } = await createSsoOrganisation(app, { email_domains: ['one.example'] });
  const login_url = `${publicUrl}/api/v1/auth/sso/${org_id}/login`;
  for (const email of ['ada@one.example', 'Nobody@ONE.example'])
    expect(await find({ email })).toMatchObject({ status: 200, body: { login_url } });
});

test('a domain that is only claimed has none, until it is proven', async () => {
  const { org_id } = await createSsoOrganisation(app, { email_domains: ['harbour.org'] });
  const email = 'ada@harbour.org';
  expect((await find({ email })).body).toEqual({ login_url: null });
  await app.sql.run(sql`
    update organisation_domains set verified_at = ${app.clock.now()}, verified_by = 'dns' where domain = 'harbour.org'`);
  expect((await find({ email })).body.login_url).toContain(org_id);
});

test('neither a domain that nobody claims nor a login that is switched off has one', async () => {
  const { admin, org_id } = await createSsoOrganisation(app, { email_domains: ['off.example'] });
  const body = buildConfigurationBody({ email_domains: ['off.example'], enabled: false });
  await app.request('POST', `/orgs/${org_id}/sso/configure`, { token: admin.token, body });
  for (const email of ['ada@off.example', 'ada@nobody.example', 'ada@sub.one.example'])
    expect((await find({ email })).body).toEqual({ login_url: null });
});

test('refuses what is no address', async () => {
  for (const body of [{}, { email: 'ada' }, { email: 7 }, { email: 'a@b.example', org_id: 1 }])
    expect((await find(body)).body.code).toBe('field_invalid');
});
