import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { unknownId, startApp } from '#test/harness.ts';
import { setTier } from './set-tier.ts';

const app = await startApp();

test('sets an organisation’s tier, which its users can read, and records it', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  expect(await setTier(app.platform, { org: org_id, tier: 'E3 Operator' })).toEqual({
    org_id,
    tier: 'E3 Operator',
  });
  const { body } = await app.request('GET', '/orgs/me', { token });
  expect(body.tier).toBe('E3 Operator');
  const entries = await app.sql.list(sql`
    select actor_user_id, actor_role, detail from audit_log where org_id = ${org_id} and action = 'orgs.tier_set'`);
  expect(entries).toEqual([{ actor_user_id: null, actor_role: null, detail: { tier: 'E3 Operator' } }]);
});

test('rejects an unknown tier and changes nothing', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  await expect(setTier(app.platform, { org: org_id, tier: 'E9' })).rejects.toMatchObject({
    code: 'field_invalid',
  });
  expect((await app.request('GET', '/orgs/me', { token })).body.tier).toBe('E1 Explorer');
});

test.each([unknownId, 'not-an-id', ''])('refuses the organisation %j, which does not exist', async (org) => {
  await expect(setTier(app.platform, { org, tier: 'partner' })).rejects.toMatchObject({
    code: 'organisation_not_found',
  });
});
