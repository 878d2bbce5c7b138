import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const patch = (token: string | undefined, body: object) =>
  app.request('PATCH', '/orgs/me', { body, ...(token !== undefined && { token }) });

const read = async (token: string) => (await app.request('GET', '/orgs/me', { token })).body;

const everything = {
  name: 'Harbour Health',
  industry: 'health',
  size: 'mid_market',
  headquarters_country: 'AU',
  website: 'https://harbour.example/about?us=1#top',
};

test('an administrator changes the profile, which is returned, stored and recorded', async () => {
  proves('org-patch-endpoint-org-admin-only');
  const { token, org_id, user_id } = await app.registerOrgAdmin();
  const before = await read(token);
  const { status, body } = await patch(token, everything);
  expect(status).toBe(200);
  expect(body).toEqual({ ...before, ...everything });
  expect(await read(token)).toEqual(body);
  const entries = await app.sql.list(sql`
    select actor_user_id, detail from audit_log where org_id = ${org_id} and action = 'orgs.profile_updated'`);
  const fields = 'name, industry, size, headquarters_country, website';
  expect(entries).toEqual([{ actor_user_id: user_id, detail: { fields } }]);
});

test('omitted fields stay, null clears a field, and other organisations do not change', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  await patch(ours.token, everything);
  await patch(theirs.token, everything);
  const { body } = await patch(ours.token, { industry: null, website: null, name: ' Harbour  ' });
  expect(body).toMatchObject({ ...everything, industry: null, website: null, name: 'Harbour' });
  expect(await read(theirs.token)).toMatchObject(everything);
});

test('a request that changes nothing succeeds and is not recorded', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  await patch(token, { industry: 'health' });
  expect((await patch(token, { industry: 'health' })).status).toBe(200);
  const entries = await app.sql.list(
    sql`select from audit_log where org_id = ${org_id} and action = 'orgs.profile_updated'`,
  );
  expect(entries).toHaveLength(1);
});

test('concurrent changes of different fields are all stored', async () => {
  const { token } = await app.registerOrgAdmin();
  const fields = Object.entries(everything).map(([field, value]) => ({ [field]: value }));
  await Promise.all(fields.map((field) => patch(token, field)));
  expect(await read(token)).toMatchObject(everything);
});

test.each([
  [{}, ''],
  [{ name: '  ' }, '/name'],
  [{ name: 'a\u0000b' }, '/name'],
  [{ name: 'n'.repeat(201) }, '/name'],
  [{ industry: 7 }, '/industry'],
  [{ size: 'huge' }, '/size'],
  [{ headquarters_country: 'Australia' }, '/headquarters_country'],
  [{ tier: 'partner' }, '/tier'],
  [{ id: 'x' }, '/id'],
  [{ website: 'http://harbour.example' }, '/website'],
  [{ website: 'javascript:alert(1)' }, '/website'],
  [{ website: 'https://harbour.example/"><script>' }, '/website'],
  [{ website: 'https://bank.example@evil.example/' }, '/website'],
  [{ website: 'https://localhost/' }, '/website'],
  [{ website: 'https://127.0.0.1/' }, '/website'],
  [{ website: 'https://[::1]/' }, '/website'],
  [{ website: 'https://' }, '/website'],
  [{ website: `https://harbour.example/${'a'.repeat(300)}` }, '/website'],
])('rejects %j at %j and changes nothing', async (body, pointer) => {
  const { token } = await app.registerOrgAdmin();
  const before = await read(token);
  const response = await patch(token, {
    industry: 'mining',
    ...body,
    ...(Object.keys(body).length === 0 && { industry: undefined }),
  });
  expect([response.status, response.body.code]).toEqual([422, 'field_invalid']);
  expect(response.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  expect(await read(token)).toEqual(before);
});

test('refuses viewers, auditors, members, platform administrators and callers who are not logged in', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const before = await read(token);
  const others = [
    await app.registerMember(),
    await app.registerPlatformAdmin(),
    await createColleague(app, org_id, 'org_viewer'),
    await createColleague(app, org_id, 'auditor'),
  ];
  for (const other of others) {
    const { status, body } = await patch(other.token, { name: 'Taken over' });
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
  expect((await patch(undefined, { name: 'Taken over' })).status).toBe(401);
  expect(await read(token)).toEqual(before);
});
