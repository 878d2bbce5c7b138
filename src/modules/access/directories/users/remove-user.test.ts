import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { buildEntraUser, buildPatch, createDirectory } from '#test/modules/directories.ts';
import { allowAgent } from '#test/modules/grants.ts';
import { password } from '#test/users.ts';
import { callByKey, createServiceKey } from '#test/modules/service-keys.ts';

const app = await startApp();
const directory = await createDirectory(app);
const { send, admin, org_id, key_id } = directory;

/** An administrator with a session, a service key and an agent. */
async function createBusyColleague() {
  const colleague = await createColleague(app, org_id, 'org_admin');
  const { key } = await createServiceKey(app, colleague.token);
  await allowAgent(app, { ...colleague, password });
  expect((await callByKey(app, key))[0]).toBe(200);
  const countGrants = () =>
    app.sql.count(
      sql<{
        count: number;
      }>`select count(*) from agent_grants where user_id = ${colleague.user_id} and revoked_at is null`,
    );
  expect(await countGrants()).toBe(1);
  return { ...colleague, key, countGrants };
}

test.each([
  [
    'deactivates',
    (id: string) =>
      send('PATCH', `/Users/${id}`, buildPatch({ op: 'Replace', path: 'active', value: 'False' })),
  ],
  ['removes', (id: string) => send('DELETE', `/Users/${id}`)],
])('a directory that %s a user ends the session, the key and the agent at once', async (_, end) => {
  const { user_id, token, key, cookies, countGrants } = await createBusyColleague();
  expect((await end(user_id)).status).toBeLessThan(300);
  expect([401, 403]).toContain((await app.request('GET', '/auth/me', { token })).status);
  expect((await app.request('POST', '/auth/refresh', { cookies, body: {} })).status).toBe(401);
  expect(await callByKey(app, key)).toEqual([401, 'token_invalid']);
  expect(await countGrants()).toBe(0);
  const { body } = await app.request('GET', '/audit-log?limit=10', { token: admin.token });
  const entries = body.data.filter(
    ({ detail, actor }: { detail: { service_key_id?: string }; actor: { user_id: string } | null }) =>
      detail.service_key_id === key_id && actor?.user_id === admin.user_id,
  );
  const actions = entries.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(expect.arrayContaining(['grants.revoked', 'service_keys.revoked']));
});

test('a user who comes back has neither the old sessions nor the keys', async () => {
  const { user_id, token, key } = await createBusyColleague();
  await send('PATCH', `/Users/${user_id}`, buildPatch({ op: 'replace', value: { active: false } }));
  const back = await send(
    'PATCH',
    `/Users/${user_id}`,
    buildPatch({ op: 'replace', value: { active: true } }),
  );
  expect([back.status, back.body.active]).toEqual([200, true]);
  expect((await app.request('GET', '/auth/me', { token })).status).toBe(401);
  expect((await callByKey(app, key))[0]).toBe(401);
});

test('the last administrator, and the one for whom the key acts, stay', async () => {
  for (const [method, body] of [
    ['DELETE', undefined],
    ['PATCH', buildPatch({ op: 'replace', value: { active: false } })],
  ] as const) {
    const alone = await createDirectory(app);
    const path = `/Users/${alone.admin.user_id}`;
    const last = await alone.send(method, path, body);
    expect([last.status, last.body.detail]).toEqual([409, expect.stringContaining('needs an administrator')]);
    await createColleague(app, alone.org_id, 'org_admin');
    const owner = await alone.send(method, path, body);
    expect([owner.status, owner.body.detail]).toEqual([
      409,
      expect.stringContaining('acts for this administrator'),
    ]);
    expect((await app.request('GET', '/orgs/me', { token: alone.admin.token })).status).toBe(200);
  }
});

test('a suspension by the operator is not the directory’s to lift', async () => {
  const { body } = await send('POST', '/Users', buildEntraUser());
  const { token } = await app.registerPlatformAdmin();
  const suspended = await app.request('POST', `/operator/users/${body.id}/suspend`, { token });
  expect(suspended.status).toBeLessThan(300);
  const refused = await send(
    'PATCH',
    `/Users/${body.id}`,
    buildPatch({ op: 'replace', value: { active: true } }),
  );
  expect([refused.status, refused.body.detail]).toEqual([
    403,
    expect.stringContaining('The operator has suspended'),
  ]);
});

test('a directory neither appoints administrators nor changes who they are', async () => {
  const refuse = async (reply: ReturnType<typeof send>) => {
    const { status, body } = await reply;
    expect([status, body.scimType]).toEqual([400, 'mutability']);
  };
  await refuse(send('POST', '/Users', buildEntraUser({ roles: [{ value: 'org_admin' }] })));
  const { body } = await send('POST', '/Users', buildEntraUser());
  await refuse(
    send(
      'PATCH',
      `/Users/${body.id}`,
      buildPatch({ op: 'add', path: 'roles', value: [{ value: 'org_admin' }] }),
    ),
  );
  const colleague = await createColleague(app, org_id, 'org_admin');
  await refuse(
    send(
      'PATCH',
      `/Users/${colleague.user_id}`,
      buildPatch({ op: 'replace', path: 'roles', value: 'auditor' }),
    ),
  );
  await refuse(
    send(
      'PATCH',
      `/Users/${colleague.user_id}`,
      buildPatch({ op: 'replace', path: 'userName', value: 'me@harbour.example' }),
    ),
  );
});
