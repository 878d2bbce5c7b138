import { beforeAll, expect, test } from 'vitest';
import { createUser } from '#modules/auth';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { password, createEmail } from '#test/users.ts';
import { proves } from '#test/requirements.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

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

test('an administrator tells about the organisation, gets it back, and everybody of it reads it', async () => {
  proves('org-patch-endpoint-org-admin-only');
  const { token, org_id, user_id } = await app.registerOrgAdmin();
  const before = await read(token);
  const { status, body } = await patch(token, everything);
  expect(status).toBe(200);
  expect(body).toEqual({ ...before, ...everything });
  expect(await read(token)).toEqual(body);
  const audited = await app.sql.list(sql`
    select actor_user_id, detail from audit_log where org_id = ${org_id} and action = 'orgs.profile_updated'`);
  const fields = 'name, industry, size, headquarters_country, website';
  expect(audited).toEqual([{ actor_user_id: user_id, detail: { fields } }]);
});

test('what is left out stays, null clears, and nothing but the own organisation changes', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  await patch(ours.token, everything);
  await patch(theirs.token, everything);
  const { body } = await patch(ours.token, { industry: null, website: null, name: ' Harbour  ' });
  expect(body).toMatchObject({ ...everything, industry: null, website: null, name: 'Harbour' });
  expect(await read(theirs.token)).toMatchObject(everything);
});

test('what changes nothing is answered, and not audited', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  await patch(token, { industry: 'health' });
  expect((await patch(token, { industry: 'health' })).status).toBe(200);
  const audited = await app.sql.list(
    sql`select from audit_log where org_id = ${org_id} and action = 'orgs.profile_updated'`,
  );
  expect(audited).toHaveLength(1);
});

test('changes of different fields at once are all kept', async () => {
  const { token } = await app.registerOrgAdmin();
  const fields = Object.entries(everything).map(([field, value]) => ({ [field]: value }));
  await Promise.all(fields.map((field) => patch(token, field)));
  expect(await read(token)).toMatchObject(everything);
});

test.each([
  [{}, ''],
  [{ name: null }, '/name'],
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
])('%j is refused at %j, and nothing changes', async (body, pointer) => {
  const { token } = await app.registerOrgAdmin();
  const before = await read(token);
  const answer = await patch(token, {
    industry: 'mining',
    ...body,
    ...(Object.keys(body).length === 0 && { industry: undefined }),
  });
  expect([answer.status, answer.body.code]).toEqual([422, 'field_invalid']);
  expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  expect(await read(token)).toEqual(before);
});

test('viewers and auditors, members and platform administrators do not change it, nor does a stranger', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const before = await read(token);
  const others = [await app.registerMember(), await app.registerPlatformAdmin()].map(
    (person) => person.token,
  );
  for (const role of ['org_viewer', 'auditor'] as const) {
    const email = createEmail();
    await createUser(app.platform, { email, password, role, org_id });
    others.push((await app.request('POST', '/auth/login', { body: { email, password } })).body.access_token);
  }
  for (const other of others) {
    const { status, body } = await patch(other, { name: 'Taken over' });
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
  expect((await patch(undefined, { name: 'Taken over' })).status).toBe(401);
  expect(await read(token)).toEqual(before);
});
