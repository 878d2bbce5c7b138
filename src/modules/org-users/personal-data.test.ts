import { beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { someEmail } from '#test/people.ts';
import { forgetInvitations } from './forget-invitations.ts';
import { erase, exportOf } from './personal-data.ts';
import { invited } from '#test/modules/org-users.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const addresses = async () =>
  (await app.sql.list(sql<{ email: string }>`select email from invitations where email is not null`)).map(
    ({ email }) => email,
  );

test('an invitation that waits at a member’s address is in their copy, and goes with them; others stay', async () => {
  const admin = await app.orgAdmin();
  const email = someEmail();
  const { id } = await invited(app, admin.token, { email, role: 'auditor' });
  const other = await invited(app, admin.token);
  const { member_id } = await app.member({ email });
  const [held] = await exportOf(app.sql, member_id);
  expect(held).toMatchObject({ name: 'invitations', rows: [{ id, org_id: admin.org_id, role: 'auditor' }] });
  expect(JSON.stringify(held)).not.toMatch(/token_hash|invited_by/);
  await app.sql.transaction((tx) => erase(tx, member_id));
  expect(await addresses()).toEqual([other.email]);
  expect((await exportOf(app.sql, member_id))[0]!.rows).toEqual([]);
});

test('addresses of people who did not answer are forgotten a day after the invitation has expired', async () => {
  const { token } = await app.orgAdmin();
  const { email } = await invited(app, token);
  const context = {
    ...app.platform,
    now: app.clock.now,
    signal: AbortSignal.any([]),
    progress: async () => undefined,
  };
  app.clock.advance(8 * 86_400_000);
  await forgetInvitations.run(context, {});
  expect(await addresses()).toContain(email);
  app.clock.advance(1);
  await forgetInvitations.run(context, {});
  expect(await addresses()).toEqual([]);
});
