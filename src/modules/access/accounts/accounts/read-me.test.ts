import { describe, expect, it } from 'vitest';
import { roles } from '#lib/caller.ts';
import { startApp } from '#test/harness.ts';
import { password, createEmail } from '#test/users.ts';
import { proves } from '#test/requirements.ts';
import { listStatements } from '#test/list-statements.ts';
import { createUser } from './create-user.ts';

const app = await startApp();

const readMe = (token?: string) => app.request('GET', '/auth/me', token === undefined ? {} : { token });

describe('reading the logged-in user', () => {
  it('returns the user record', async () => {
    proves(
      'auth-me-response-fields',
      'auth-user-record-fields',
      'auth-jwt-bearer-header',
      'surface-rest-uses-jwt-bearer',
    );
    const { token, user_id, member_id, email } = await app.registerMember();
    const now = app.clock.now().toISOString();
    const { status, body } = await readMe(token);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: user_id,
      email,
      handle: null,
      display_name: 'Test Person',
      role: 'member',
      linked_entity_id: member_id,
      email_verified: false,
      mfa_enabled: false,
      created_at: now,
      last_login: now,
    });
  });

  it('requires a bearer token and accepts all five roles', async () => {
    proves('auth-me-endpoint-jwt', 'auth-roles-seen');
    const refusal = await readMe();
    expect([refusal.status, refusal.body.code]).toEqual([401, 'authentication_required']);
    const { org_id } = await app.registerOrgAdmin();
    for (const role of roles) {
      const email = createEmail();
      const user = await createUser(app.platform, { email, password, role, org_id });
      const { body } = await app.request('POST', '/auth/login', { body: { email, password } });
      const reply = await readMe(body.access_token);
      expect(reply.body).toMatchObject({ id: user.id, role, linked_entity_id: user.linked_entity_id });
      expect(user.linked_entity_id === null).toBe(role === 'platform_admin');
    }
  });

  it('queries the database once', async () => {
    const { token } = await app.registerMember();
    await readMe(token);
    expect(await listStatements(() => readMe(token))).toHaveLength(1);
  });

  it('rejects an unknown field', async () => {
    const { token } = await app.registerMember();
    expect((await app.request('GET', '/auth/me?id=1', { token })).status).toBe(422);
  });
});
