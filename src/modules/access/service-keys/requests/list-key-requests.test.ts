import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { callByKey, createServiceKey } from '#test/modules/service-keys.ts';

const app = await startApp();

const list = (id: string, token?: string) =>
  app.request('GET', `/orgs/me/service-keys/${id}/requests`, token === undefined ? {} : { token });

test('what a key asked is listed with its answers, newest first, without ids of the path', async () => {
  const { token } = await app.registerOrgAdmin();
  const { id, key } = await createServiceKey(app, token, {
    permissions: ['GET /orgs/me/jobs', 'GET /orgs/me/jobs/{job_id}'],
  });
  await callByKey(app, key);
  app.clock.advance(1_000);
  await app.request('GET', `/orgs/me/jobs/${unknownId}?secret=%27--`, { token: key });
  app.clock.advance(1_000);
  const last = await app.request('DELETE', `/nowhere/${unknownId}`, { token: key });
  const { status, body } = await list(id, token);
  const rows = body.data.map((each: Record<string, unknown>) => [
    each['method'],
    each['path'],
    each['status'],
    each['code'],
  ]);
  expect([status, rows]).toEqual([
    200,
    [
      ['DELETE', null, 404, 'route_not_found'],
      ['GET', '/orgs/me/jobs/{job_id}', 422, 'field_invalid'],
      ['GET', '/orgs/me/jobs', 200, null],
    ],
  ]);
  expect(body.data[0]).toMatchObject({
    id: last.headers['x-request-id'],
    at: app.clock.now().toISOString(),
    duration_ms: expect.any(Number),
  });
  expect(JSON.stringify(body)).not.toMatch(new RegExp(`${unknownId}|secret`));
});

test('requests from outside the networks of a key and those that it is not permitted are among them', async () => {
  const { token } = await app.registerOrgAdmin();
  const { id, key } = await createServiceKey(app, token, { networks: ['203.0.113.0/24'] });
  const near = await createServiceKey(app, token);
  await callByKey(app, key);
  await app.request('GET', '/orgs/me', { token: near.key });
  const codes = [(await list(id, token)).body.data[0].code, (await list(near.id, token)).body.data[0].code];
  expect(codes).toEqual(['network_not_allowed', 'row_not_permitted']);
});

test('a hundred requests at once are recorded, and less than two hundred are kept', async () => {
  const { token } = await app.registerOrgAdmin();
  const { id, key } = await createServiceKey(app, token);
  for (let round = 0; round < 3; round++) {
    app.clock.advance(1_000);
    await Promise.all(Array.from({ length: 100 }, () => callByKey(app, key)));
    expect((await list(id, token)).body.data).toHaveLength(100);
  }
  const kept = await app.sql.count(
    sql<{ count: number }>`select count(*) from service_key_requests where service_key_id = ${id}`,
  );
  expect(kept).toBeLessThan(200);
});

test('what is older than a week is not shown, and deleted; so is all of a revoked key', async () => {
  const { token, email } = await app.registerOrgAdmin();
  const [old, revoked] = [await createServiceKey(app, token), await createServiceKey(app, token)];
  for (const { key } of [old, revoked]) await callByKey(app, key);
  const count = (id: string) =>
    app.sql.count(
      sql<{ count: number }>`select count(*) from service_key_requests where service_key_id = ${id}`,
    );
  await list(old.id, token);
  expect(await count(revoked.id)).toBe(1);
  await app.request('DELETE', `/orgs/me/service-keys/${revoked.id}`, { token });
  expect(await count(revoked.id)).toBe(0);
  app.clock.advance(8 * 86_400_000);
  const later = (
    await app.request('POST', '/auth/login', { body: { email, password: 'Correct-Horse-7-Battery' } })
  ).body.access_token;
  expect((await list(old.id, later)).body.data).toEqual([]);
});

test('an auditor may read it; viewers, other organisations and strangers may not', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const { id } = await createServiceKey(app, token);
  expect((await list(id, (await createColleague(app, org_id, 'auditor')).token)).status).toBe(200);
  expect((await list(id, (await createColleague(app, org_id)).token)).status).toBe(403);
  expect((await list(id, (await app.registerOrgAdmin()).token)).body.code).toBe('service_key_not_found');
  expect((await list('x', token)).status).toBe(422);
  expect((await list(id)).status).toBe(401);
});
