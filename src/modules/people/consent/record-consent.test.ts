import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const grant = { consent_type: 'assessment_data', granted: true, version: '1.0' };
const post = (token: string, body: unknown, headers: Record<string, string> = {}) =>
  app.request('POST', '/members/me/consent', { token, body, headers });
const listRecords = (member_id: string) =>
  app.sql.list(sql<{ id: string; consent_type: string; granted: boolean; version: string }>`
    select id, consent_type, granted, version from consent_records where member_id = ${member_id} order by sequence`);

test('records a consent and returns the record', async () => {
  proves('consent-post-endpoint-jwt', 'consent-record-fields', 'consent-type-value-assessment-data');
  const { token, member_id } = await app.registerMember();
  const { status, body } = await post(token, grant);
  expect(status).toBe(201);
  expect(body).toEqual({ id: expect.any(String), ...grant, created_at: app.clock.now().toISOString() });
  expect(await listRecords(member_id)).toEqual([{ id: body.id, ...grant }]);
});

test('every decision adds a record and changes no earlier one', async () => {
  proves('consent-post-appends-record', 'consent-records-append-only');
  const { token, member_id } = await app.registerMember();
  await post(token, grant);
  const [first] = await listRecords(member_id);
  await post(token, { ...grant, granted: false });
  await post(token, grant);
  const records = await listRecords(member_id);
  expect(records.map(({ granted, version }) => [granted, version])).toEqual([
    [true, '1.0'],
    [false, '1.0'],
    [true, '1.0'],
  ]);
  expect(records[0]).toEqual(first);
});

test('every decision appears in the audit log with its type and version', async () => {
  const { token, user_id, member_id } = await app.registerMember();
  await post(token, grant);
  await post(token, { ...grant, granted: false });
  const detail = { consent_type: 'assessment_data', version: '1.0' };
  expect(
    await app.sql.list(sql`
      select action, actor_user_id, detail from audit_log where member_id = ${member_id} and action like 'consent.%' order by sequence`),
  ).toEqual([
    { action: 'consent.granted', actor_user_id: user_id, detail },
    { action: 'consent.withdrawn', actor_user_id: user_id, detail },
  ]);
});

test('the database refuses to update, delete or truncate consent records', async () => {
  proves('consent-records-append-only');
  const { token, member_id } = await app.registerMember();
  await post(token, grant);
  const before = await listRecords(member_id);
  const attempts = [
    sql`update consent_records set granted = false where member_id = ${member_id}`,
    sql`delete from consent_records where member_id = ${member_id}`,
    sql`truncate consent_records`,
  ];
  for (const attempt of attempts) await expect(app.sql.run(attempt)).rejects.toThrow('append-only');
  expect(await listRecords(member_id)).toEqual(before);
});

test('repeating a request with its Idempotency-Key records one decision and returns the same reply', async () => {
  const { token, member_id } = await app.registerMember();
  const headers = { 'idempotency-key': 'consent-1' };
  const first = await post(token, grant, headers);
  const again = await post(token, grant, headers);
  expect([again.status, again.body]).toEqual([201, first.body]);
  expect(await listRecords(member_id)).toHaveLength(1);
});

test.each([
  ['consent_type', 'everything'],
  ['consent_type', null],
  ['granted', 'true'],
  ['granted', undefined],
  ['version', ''],
  ['version', 'v'.repeat(33)],
  ['version', '1\u0000'],
  ['version', undefined],
  ['member_id', 'x'],
])('rejects %s %j and records nothing', async (field, value) => {
  const { token, member_id } = await app.registerMember();
  const { status, body } = await post(token, { ...grant, [field]: value });
  expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'field_invalid', `/${field}`]);
  expect(await listRecords(member_id)).toEqual([]);
});

test('refuses a version that was not published, for a grant and for a withdrawal', async () => {
  const { token, member_id } = await app.registerMember();
  for (const version of ['1', '1.3', '2.0', ' 1.0', 'v1.0'])
    for (const granted of [true, false]) {
      const { status, body } = await post(token, { ...grant, granted, version });
      expect([status, body.code]).toEqual([422, 'field_invalid']);
      expect(body.errors).toEqual([{ pointer: '/version', reason: expect.stringContaining('1.0') }]);
    }
  expect(await listRecords(member_id)).toEqual([]);
});

test('rejects an anonymous caller', async () => {
  const { status, body } = await app.request('POST', '/members/me/consent', { body: grant });
  expect([status, body.code]).toEqual([401, 'authentication_required']);
});

test('rejects organisation users and platform administrators', async () => {
  for (const { token } of [await app.registerOrgAdmin(), await app.registerPlatformAdmin()]) {
    const { status, body } = await post(token, grant);
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
});

test('a consent applies only to the member who gave it', async () => {
  const [one, other] = [await app.registerMember(), await app.registerMember()];
  await post(one.token, grant);
  expect(await listRecords(other.member_id)).toEqual([]);
});

test.each(['assessment_data', 'matching'])(
  'withdrawing %s ends a deployment at once and emits member.undeployed',
  async (consent_type) => {
    const { token, member_id } = await app.registerDeployedMember();
    await post(token, { consent_type, granted: false, version: '1.0' });
    const { body } = await app.request('GET', '/members/me', { token });
    expect(body.engagement_level).toBe(consent_type === 'matching' ? 3 : 1);
    const events = await app.sql.list(sql<{ type: string; data: object }>`
    select type, data from events where data->>'member_id' = ${member_id} and type = 'member.undeployed'`);
    expect(events).toEqual([{ type: 'member.undeployed', data: { member_id } }]);
  },
);

test('concurrent decisions are stored in one order, and the engagement level follows the last one', async () => {
  const { token, member_id } = await app.registerDeployedMember();
  const decide = (granted: boolean) => post(token, { consent_type: 'matching', granted, version: '1.0' });
  await Promise.all([true, false, true, false, false, true].map(decide));
  const { granted } = (await listRecords(member_id)).at(-1)!;
  const { body } = await app.request('GET', '/members/me', { token });
  expect(body.engagement_level).toBe(granted ? 4 : 3);
});
