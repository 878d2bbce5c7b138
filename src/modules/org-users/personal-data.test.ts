import { beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { createEmail } from '#test/users.ts';
import { forgetInvitations } from './forget-invitations.ts';
import { erasePersonalData, exportPersonalData } from './personal-data.ts';
import { createInvitation } from '#test/modules/org-users.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const addresses = async () =>
  (await app.sql.list(sql<{ email: string }>`select email from invitations where email is not null`)).map(
    ({ email }) => email,
  );

test('an invitation that waits at a member’s address is in their copy, and goes with them; others stay', async () => {
  const admin = await app.registerOrgAdmin();
  const email = createEmail();
  const { id } = await createInvitation(app, admin.token, { email, role: 'auditor' });
  const other = await createInvitation(app, admin.token);
  const { member_id, user_id } = await app.registerMember({ email });
  const accounts = { user_ids: [user_id], emails: [email] };
  const [held] = await exportPersonalData(app.sql, member_id, accounts);
  expect(held).toMatchObject({ name: 'invitations', rows: [{ id, org_id: admin.org_id, role: 'auditor' }] });
  expect(JSON.stringify(held)).not.toMatch(/token_hash|invited_by/);
  await app.sql.transaction((tx) => erasePersonalData(tx, member_id, accounts));
  expect(await addresses()).toEqual([other.email]);
  expect((await exportPersonalData(app.sql, member_id, accounts))[0]!.rows).toEqual([]);
});

test('addresses of people who did not answer are forgotten a day after the invitation has expired', async () => {
  const { token } = await app.registerOrgAdmin();
  const { email } = await createInvitation(app, token);
  const context = {
    ...app.platform,
    now: app.clock.now,
    signal: AbortSignal.any([]),
    reportProgress: async () => undefined,
  };
  app.clock.advance(8 * 86_400_000);
  await forgetInvitations.run(context, {});
  expect(await addresses()).toContain(email);
  app.clock.advance(1);
  await forgetInvitations.run(context, {});
  expect(await addresses()).toEqual([]);
});
