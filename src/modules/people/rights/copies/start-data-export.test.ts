import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const start = (token: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  app.request('POST', '/members/me/data-export', { token, body, headers });
const countExports = async (member_id: string) =>
  (
    await app.sql.one(
      sql<{ count: number }>`select count(*) from data_exports where member_id = ${member_id}`,
    )
  ).count;

test('starts an export whose task gives the URL of the result, and records it', async () => {
  proves('member-data-export-endpoint-jwt');
  const { token, member_id } = await app.registerMember();
  const { status, body } = await start(token);
  expect([status, body]).toEqual([202, { task_id: expect.any(String), status: 'queued' }]);
  await app.drainQueue();
  const task = await app.request('GET', `/tasks/${body.task_id}`, { token });
  expect(task.body).toMatchObject({
    status: 'succeeded',
    result_url: `http://localhost:8420/api/v1/members/me/data-export/${body.task_id}`,
    error: null,
  });
  const entries = await app.sql.list(
    sql`select action from audit_log where member_id = ${member_id} and action = 'rights.data_export_requested'`,
  );
  expect(entries).toHaveLength(1);
});

test('returns the running export, and starts another only after it has finished', async () => {
  const { token, member_id } = await app.registerMember();
  const responses = await Promise.all([start(token), start(token), start(token)]);
  expect(responses.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(new Set(responses.map(({ body }) => body.task_id)).size).toBe(1);
  expect(await countExports(member_id)).toBe(1);
  await app.drainQueue();
  const next = await start(token);
  expect(next.body.task_id).not.toBe(responses[0].body.task_id);
});

test('starts another export after one has failed', async () => {
  const { token, member_id } = await app.registerMember();
  const { body } = await start(token);
  await app.sql.run(sql`update tasks set status = 'failed' where id = ${body.task_id}`);
  expect((await start(token)).body.task_id).not.toBe(body.task_id);
  expect(await countExports(member_id)).toBe(2);
});

test('allows five exports a day, and refuses the sixth with Retry-After', async () => {
  const { token } = await app.registerMember();
  for (let count = 0; count < 5; count++) {
    expect((await start(token)).status).toBe(202);
    await app.drainQueue();
  }
  const { status, body, headers } = await start(token);
  expect([status, body.code, headers['retry-after']]).toEqual([429, 'too_many_requests', '86400']);
});

test('a request retried with its Idempotency-Key starts one export', async () => {
  const { token, member_id } = await app.registerMember();
  const headers = { 'idempotency-key': 'export-1' };
  const first = await start(token, {}, headers);
  await app.drainQueue();
  const again = await start(token, {}, headers);
  expect([again.status, again.body]).toEqual([202, first.body]);
  expect(await countExports(member_id)).toBe(1);
});

test('rejects an unknown field and starts nothing', async () => {
  const { token, member_id } = await app.registerMember();
  const { status, body } = await start(token, { member_id: 'x' });
  expect([status, body.code]).toEqual([422, 'field_invalid']);
  expect(await countExports(member_id)).toBe(0);
});

test('members cannot see each other’s exports', async () => {
  const [one, other] = [await app.registerMember(), await app.registerMember()];
  const { body } = await start(one.token);
  expect((await start(other.token)).body.task_id).not.toBe(body.task_id);
  expect((await app.request('GET', `/tasks/${body.task_id}`, { token: other.token })).status).toBe(404);
});

test('refuses callers who are not logged in, and all roles except member', async () => {
  const { status, body } = await app.request('POST', '/members/me/data-export', { body: {} });
  expect([status, body.code]).toEqual([401, 'authentication_required']);
  for (const { token } of [await app.registerOrgAdmin(), await app.registerPlatformAdmin()]) {
    const refused = await start(token);
    expect([refused.status, refused.body.code]).toEqual([403, 'role_not_allowed']);
  }
});
