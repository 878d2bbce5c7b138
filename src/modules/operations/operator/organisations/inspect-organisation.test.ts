import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';
import { claimDomains } from '#modules/organisations/orgs';

const app = await startApp();

test('describes an organisation and the domains that it claims, without the challenges', async () => {
  const { token } = await app.registerPlatformAdmin();
  const { org_id } = await app.registerOrgAdmin({ name: 'Quay' });
  await app.sql.transaction((tx) =>
    claimDomains(tx, { org_id, domains: ['quay.org'], now: app.clock.now() }),
  );
  const { status, body } = await app.request('GET', `/operator/organisations/${org_id}`, { token });
  expect([status, body]).toEqual([
    200,
    {
      id: org_id,
      name: 'Quay',
      industry: null,
      size: null,
      tier: 'E1 Explorer',
      headquarters_country: null,
      website: null,
      created_at: app.clock.now().toISOString(),
      suspended_at: null,
      domains: [{ domain: 'quay.org', verified_at: null, verified_by: null }],
    },
  ]);
});

test('an unknown organisation, a text that is no id, and other callers are refused', async () => {
  const { token } = await app.registerPlatformAdmin();
  const read = async (id: string) =>
    (await app.request('GET', `/operator/organisations/${id}`, { token })).body;
  expect((await read(unknownId)).code).toBe('organisation_not_found');
  expect((await read('7')).errors[0].pointer).toBe('/org_id');
  await expectOperatorOnly(app, 'GET', `/operator/organisations/${unknownId}`);
});
