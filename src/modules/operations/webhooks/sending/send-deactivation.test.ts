import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { runTask } from '#test/modules/matching.ts';
import { createSubscription } from '#test/modules/webhooks.ts';
import { sendDeactivation } from './send-deactivation.ts';

const app = await startApp({ TESSERA_PUBLIC_URL: 'https://tessera.example' });

test('an administrator who has become a viewer, or whose organisation is suspended, is not emailed', async () => {
  const admin = await app.registerOrgAdmin();
  const { org_id } = admin;
  const viewer = await createColleague(app, org_id);
  await app.sql.run(sql`
    update users set email_verified_at = ${app.clock.now()} where id = any(${[admin.user_id, viewer.user_id]}::uuid[])`);
  const { id } = await createSubscription(app, admin.token, { url: 'https://hooks.example.org/' });
  await app.request('PATCH', `/webhooks/${id}`, { token: admin.token, body: { is_active: false } });
  const countMails = async ({ user_id, email }: { user_id: string; email: string }) => {
    const data = { org_id, subscription_id: id, user_id, reason: 'failures' } as const;
    await runTask(app, sendDeactivation, data);
    const mails = (await app.readMails()).filter(({ to }) => to.includes(email));
    return mails.filter(({ subject }) => subject.includes('webhook')).length;
  };
  expect([await countMails(admin), await countMails(viewer)]).toEqual([1, 0]);
  await app.sql.run(sql`update organisations set suspended_at = ${app.clock.now()} where id = ${org_id}`);
  expect(await countMails(admin)).toBe(1);
});
