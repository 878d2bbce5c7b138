import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { unknownId, startApp } from '#test/harness.ts';
import { password, createEmail } from '#test/users.ts';
import { createUser, ensureAdmin } from './create-user.ts';

describe('an operator', () => {
  it('creates accounts of every role, and receives a refusal for invalid input', async () => {
    const app = await startApp();
    const { org_id } = await app.registerOrgAdmin();
    const viewer = await createUser(app.platform, {
      email: createEmail().toUpperCase(),
      password,
      role: 'org_viewer',
      org_id,
    });
    expect(viewer.linked_entity_id).toBe(org_id);
    expect(viewer.email).toMatch(/^[^A-Z]+$/);
    const invalidUsers: [Parameters<typeof createUser>[1], string][] = [
      [{ email: 'nobody', password, role: 'member' }, 'field_invalid'],
      [{ email: createEmail(), password: 'weak', role: 'member' }, 'password_too_weak'],
      [{ email: viewer.email!, password, role: 'member' }, 'email_taken'],
      [{ email: createEmail(), password, role: 'auditor' }, 'field_invalid'],
      [{ email: createEmail(), password, role: 'auditor', org_id: unknownId }, 'organisation_not_found'],
      [{ email: createEmail(), password, role: 'auditor', org_id: 'harbour' }, 'organisation_not_found'],
    ];
    const before = await app.sql.list(sql`select id from users`);
    for (const [user, code] of invalidUsers)
      await expect(createUser(app.platform, user)).rejects.toMatchObject({ code });
    expect(await app.sql.list(sql`select id from users`)).toEqual(before);
  });

  it('creates an organisation with an org_admin, named after `name` or the domain of the address', async () => {
    const app = await startApp();
    const named = await createUser(app.platform, {
      email: createEmail(),
      password,
      role: 'org_admin',
      name: 'Harbour Ltd',
    });
    const unnamed = await createUser(app.platform, { email: createEmail(), password, role: 'org_admin' });
    const { names } = await app.sql.one(sql<{ names: string[] }>`
      select array_agg(name order by name) as names from organisations where id in (${named.linked_entity_id}, ${unnamed.linked_entity_id})`);
    expect(names.sort()).toEqual(['Harbour Ltd', 'example.org']);
  });
});

describe('the first platform administrator', () => {
  const admin = { TESSERA_ADMIN_EMAIL: 'Root@example.org', TESSERA_ADMIN_PASSWORD: password };
  const admins = sql<{ role: string }>`select role from users where email = 'root@example.org'`;

  it('is created once from the configuration, even by nodes that start at the same time', async () => {
    const app = await startApp(admin);
    await Promise.all([ensureAdmin(app.platform), ensureAdmin(app.platform)]);
    await ensureAdmin(app.platform);
    expect(await app.sql.list(admins)).toEqual([{ role: 'platform_admin' }]);
    const { status } = await app.request('POST', '/auth/login', {
      body: { email: 'root@example.org', password },
    });
    expect(status).toBe(200);
  });

  it('is not created without the configuration, and never replaces an existing account', async () => {
    const unconfigured = await startApp();
    await ensureAdmin(unconfigured.platform);
    expect(await unconfigured.sql.list(admins)).toEqual([]);
    const app = await startApp(admin);
    await app.sql.run(sql`delete from users where email = 'root@example.org'`);
    await app.registerMember({ email: 'root@example.org' });
    await ensureAdmin(app.platform);
    expect(await app.sql.list(admins)).toEqual([{ role: 'member' }]);
  });
});
