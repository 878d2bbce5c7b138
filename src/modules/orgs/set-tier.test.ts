import { beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { unknownId, startApp, type TestApp } from '#test/harness.ts';
import { setTier } from './set-tier.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

test('an operator moves an organisation to a tier, and its own people read it', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  expect(await setTier(app.platform, { org: org_id, tier: 'E3 Operator' })).toEqual({
    org_id,
    tier: 'E3 Operator',
  });
  const { body } = await app.request('GET', '/orgs/me', { token });
  expect(body.tier).toBe('E3 Operator');
  const audited = await app.sql.list(sql`
    select actor_user_id, actor_role, detail from audit_log where org_id = ${org_id} and action = 'orgs.tier_set'`);
  expect(audited).toEqual([{ actor_user_id: null, actor_role: null, detail: { tier: 'E3 Operator' } }]);
});

test('a tier that does not exist is refused, and nothing changes', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  await expect(setTier(app.platform, { org: org_id, tier: 'E9' })).rejects.toMatchObject({
    code: 'field_invalid',
  });
  expect((await app.request('GET', '/orgs/me', { token })).body.tier).toBe('E1 Explorer');
});

test.each([unknownId, 'not-an-id', ''])(
  'the organisation %j, which does not exist, is refused',
  async (org) => {
    await expect(setTier(app.platform, { org, tier: 'partner' })).rejects.toMatchObject({
      code: 'organisation_not_found',
    });
  },
);
