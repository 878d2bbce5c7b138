import { expect, test } from 'vitest';
import { formatExternalId } from '#lib/external-id.ts';
import { enableMfa } from '#test/modules/auth.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';

const app = await startApp();

test('describes an account without anything that was measured, and records the reading where its user sees it', async () => {
  const operator = await app.registerPlatformAdmin();
  const member = await app.registerDeployedMember();
  await enableMfa(app, member);
  const { user_id, member_id, email, token } = member;
  const { status, body } = await app.request('GET', `/operator/users/${user_id}`, { token: operator.token });
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({
      id: user_id,
      email,
      role: 'member',
      external_id: formatExternalId('MBR', member_id),
      engagement_level: 4,
      mfa_enabled: true,
      open_sessions: 1,
    }),
  ]);
  expect(Object.keys(body).join()).not.toMatch(/trait|score|archetype|vector|answer/);
  expect(await listActs(app, 'auth.account_read', operator.user_id)).toEqual([
    {
      actor_user_id: operator.user_id,
      actor_role: 'platform_admin',
      member_id,
      org_id: null,
      detail: { user_id },
    },
  ]);
  const log = await app.request('GET', '/audit-log?action=auth.account_read', { token });
  expect(log.body.data).toHaveLength(1);
});

test('users of an organisation have neither a level nor a short id', async () => {
  const { token } = await app.registerPlatformAdmin();
  const { user_id, org_id } = await app.registerOrgAdmin({ name: 'Quay' });
  const { body } = await app.request('GET', `/operator/users/${user_id}`, { token });
  expect(body).toMatchObject({
    linked_entity_id: org_id,
    organisation_name: 'Quay',
    external_id: null,
    engagement_level: null,
  });
});

test('an unknown user is not found, and a text that is no id is refused', async () => {
  const { token } = await app.registerPlatformAdmin();
  expect((await app.request('GET', `/operator/users/${unknownId}`, { token })).body.code).toBe(
    'user_not_found',
  );
  expect((await app.request('GET', '/operator/users/7', { token })).body.errors[0].pointer).toBe('/user_id');
});

test('only a platform administrator may read it', () =>
  expectOperatorOnly(app, 'GET', `/operator/users/${unknownId}`));
