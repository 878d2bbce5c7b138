import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { configureOpenid, createOpenidOrganisation, startOpenidProvider } from '#test/modules/openid.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const ours = await createOpenidOrganisation(app);

const read = (token: string | undefined, org_id = ours.org_id) =>
  app.request('GET', `/orgs/${org_id}/sso/openid`, token === undefined ? {} : { token });

test('administrators and auditors read the configuration, and nobody else does', async () => {
  const { token } = ours.admin;
  expect((await read(token)).body.code).toBe('sso_not_configured');
  const { issuer } = await startOpenidProvider(ours.redirect_uri);
  const configured = await configureOpenid(app, ours, { issuer });
  const auditor = await createColleague(app, ours.org_id, 'auditor');
  const viewer = await createColleague(app, ours.org_id);
  expect((await read(token)).body).toEqual(configured.body);
  expect((await read(auditor.token)).body).toEqual(configured.body);
  expect((await read(undefined)).status).toBe(401);
  for (const other of [viewer, await app.registerMember()])
    expect((await read(other.token)).body.code).toBe('role_not_allowed');
  for (const org_id of [(await createOpenidOrganisation(app)).org_id, unknownId])
    expect((await read(token, org_id)).body.code).toBe('organisation_not_found');
  expect((await read(token, 'no-id')).status).toBe(422);
});
