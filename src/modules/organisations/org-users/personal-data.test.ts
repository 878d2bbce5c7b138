import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createEmail } from '#test/users.ts';
import { createInvitation } from '#test/modules/org-users.ts';
import { forgetInvitations } from './forget-invitations.ts';
import { personalData } from './personal-data.ts';

const app = await startApp();

const listInvitedAddresses = async () =>
  (await app.sql.list(sql<{ email: string }>`select email from invitations where email is not null`)).map(
    ({ email }) => email,
  );

test('an open invitation to a member’s address is exported and erased with the member; others stay', async () => {
  const admin = await app.registerOrgAdmin();
  const email = createEmail();
  const { id } = await createInvitation(app, admin.token, { email, role: 'auditor' });
  const other = await createInvitation(app, admin.token);
  const { member_id, user_id } = await app.registerMember({ email });
  const accounts = { user_ids: [user_id], emails: [email] };
  const [section] = await personalData.exportPersonalData(app.sql, member_id, accounts);
  expect(section).toMatchObject({
    name: 'invitations',
    rows: [{ id, org_id: admin.org_id, role: 'auditor' }],
  });
  expect(JSON.stringify(section)).not.toMatch(/token_hash|invited_by/);
  await app.sql.transaction((tx) => personalData.erasePersonalData(tx, member_id, accounts));
  expect(await listInvitedAddresses()).toEqual([other.email]);
  expect((await personalData.exportPersonalData(app.sql, member_id, accounts))[0]!.rows).toEqual([]);
});

test('deletes the address of an unaccepted invitation a day after the invitation has expired', async () => {
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
  expect(await listInvitedAddresses()).toContain(email);
  app.clock.advance(1);
  await forgetInvitations.run(context, {});
  expect(await listInvitedAddresses()).toEqual([]);
});
