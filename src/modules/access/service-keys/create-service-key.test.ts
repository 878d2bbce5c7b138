import { describe, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { createServiceKey } from '#test/modules/service-keys.ts';

const app = await startApp();
const day_ms = 86_400_000;

const create = (token: string | undefined, changes: object = {}) =>
  app.request('POST', '/orgs/me/service-keys', {
    body: { name: 'Applicant tracking system', permissions: ['GET /orgs/me/jobs'], ...changes },
    ...(token !== undefined && { token }),
  });

test('a key is shown once, and stored as a hash', async () => {
  const { token, user_id, org_id } = await app.registerOrgAdmin();
  const { status, body } = await create(token);
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.any(String),
    name: 'Applicant tracking system',
    permissions: ['GET /orgs/me/jobs'],
    networks: [],
    kind: 'secret',
    hint: body.key.slice(-4),
    user_id,
    created_at: app.clock.now().toISOString(),
    expires_at: new Date(app.clock.now().getTime() + 365 * day_ms).toISOString(),
    last_used_at: null,
    previous_until: null,
    key: expect.stringMatching(/^tsk_[0-9a-f]{68}$/),
  });
  const stored = await app.sql.one(
    sql<{ row: string }>`select service_keys::text as row from service_keys where org_id = ${org_id}`,
  );
  expect(stored.row).not.toContain(body.key.slice(4, 64));
  const list = await app.request('GET', '/orgs/me/service-keys', { token });
  expect(JSON.stringify(list.body)).not.toContain(body.key);
});

test('the administrators are informed by email, and the audit log names the key', async () => {
  const { token, email } = await app.registerOrgAdmin();
  const { id } = await createServiceKey(app, token);
  await app.drainQueue();
  expect((await app.readMails()).filter(({ to }) => to === email).map(({ subject }) => subject)).toContain(
    'A service key was created for your organisation',
  );
  const { body } = await app.request('GET', '/audit-log', { token });
  expect(body.data[0]).toMatchObject({ action: 'service_keys.created', detail: { service_key_id: id } });
});

describe('refuses', () => {
  test.each([
    [{ name: ' ' }, '/name'],
    [{ permissions: [] }, '/permissions'],
    [{ permissions: ['GET /orgs/me/jobs', 'GET /nothing'] }, '/permissions/1'],
    // What only a person may do: one's own account, and what needs a recent authentication.
    [{ permissions: ['POST /auth/change-password'] }, '/permissions/0'],
    [{ permissions: ['GET /auth/me'] }, '/permissions/0'],
    [{ permissions: ['POST /orgs/me/service-keys'] }, '/permissions/0'],
    [{ permissions: ['POST /webhooks'] }, '/permissions/0'],
    // The reply to the member says that a person has looked.
    [{ permissions: ['POST /matches/{match_id}/review/answer'] }, '/permissions/0'],
    [{ permissions: ['PUT /orgs/me/notifications'] }, '/permissions/0'],
    // Rows of other roles, and rows that anyone may call.
    [{ permissions: ['GET /members/me'] }, '/permissions/0'],
    [{ permissions: ['POST /auth/login'] }, '/permissions/0'],
    [{ networks: ['203.0.113.0/33'] }, '/networks/0'],
    [{ networks: ['localhost'] }, '/networks/0'],
    [{ expiry_days: 0 }, '/expiry_days'],
    [{ expiry_days: 731 }, '/expiry_days'],
    [{ other: 1 }, '/other'],
  ])('%j', async (changes, pointer) => {
    const { token } = await app.registerOrgAdmin();
    const { status, body } = await create(token, changes);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });

  test('more than fifty keys', async () => {
    const { token } = await app.registerOrgAdmin();
    for (let count = 0; count < 50; count++) await createServiceKey(app, token);
    const { status, body } = await create(token);
    expect([status, body.code]).toEqual([409, 'service_key_limit_reached']);
  });

  test('callers who are not logged in, have another role, or logged in long ago', async () => {
    expect((await create(undefined)).status).toBe(401);
    expect((await create((await app.registerMember()).token)).body.code).toBe('role_not_allowed');
    const { token, org_id } = await app.registerOrgAdmin();
    const viewer = await createColleague(app, org_id);
    expect((await create(viewer.token)).body.code).toBe('role_not_allowed');
    app.clock.advance(901_000);
    expect((await create(token)).body.code).toBe('recent_authentication_required');
  });
});
