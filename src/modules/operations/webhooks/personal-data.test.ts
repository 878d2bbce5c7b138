import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { noAccounts } from '#test/personal-data.ts';
import { createSubscription, emitProposal, listDeliveries } from '#test/modules/webhooks.ts';
import { startWebhookReceiver } from '#test/webhook-receiver.ts';
import { personalData } from './personal-data.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });

test('an export has what organisations were sent about the member, and an erasure leaves nothing of it', async () => {
  const [{ token, org_id }, leaving, staying] = [
    await app.registerOrgAdmin(),
    await app.registerMember(),
    await app.registerMember(),
  ];
  const receiver = await startWebhookReceiver();
  const { id } = await createSubscription(app, token, { url: receiver.url });
  for (const { member_id } of [leaving, staying])
    await emitProposal(app, org_id, { member_id, shown_member_id: member_id });
  await app.drainQueue();
  expect(await personalData.exportPersonalData(app.sql, leaving.member_id, noAccounts)).toEqual([
    {
      name: 'webhook_deliveries',
      rows: [
        {
          org_id,
          event_type: 'match.proposed',
          body: expect.stringContaining(leaving.member_id),
          status: 'delivered',
          created_at: expect.any(Date),
        },
      ],
    },
  ]);
  await app.sql.transaction((tx) => personalData.erasePersonalData(tx, leaving.member_id, noAccounts));
  const { is_stored } = await app.sql.one(sql<{ is_stored: boolean }>`
    select exists (select from webhook_deliveries each where each::text like ${`%${leaving.member_id}%`}) as is_stored`);
  expect(is_stored).toBe(false);
  expect(await listDeliveries(app, token, id)).toHaveLength(1);
});

test('an erasure waits for a distribution in progress, and deletes what it wrote', async () => {
  const { member_id } = await app.registerMember();
  const { org_id, token } = await app.registerOrgAdmin();
  const { id } = await createSubscription(app, token, { url: 'https://hooks.example.org/' });
  await emitProposal(app, org_id, { member_id });
  const { event_id } = await app.sql.one(
    sql<{ event_id: string }>`select id as event_id from events where data->>'member_id' = ${member_id}`,
  );
  const locked = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const distributing = app.sql.transaction(async (tx) => {
    await tx.run(sql`select from events where id = ${event_id} for key share`);
    locked.resolve();
    await written.promise;
    await tx.run(sql`
      insert into webhook_deliveries (org_id, id, subscription_id, event_id, event_type, member_id, body, status, created_at)
      values (${org_id}, gen_random_uuid(), ${id}, ${event_id}, 'match.proposed', ${member_id}, '{}', 'failed', now())`);
  });
  await locked.promise;
  const { personalData } = app.platform;
  const holders = Object.keys(personalData);
  expect(holders.indexOf('webhooks')).toBeGreaterThan(holders.indexOf('events'));
  const erasing = app.sql.transaction(async (tx) => {
    const accounts = { user_ids: [], emails: [] };
    for (const name of ['events', 'webhooks'])
      await personalData[name]!.erasePersonalData(tx, member_id, accounts);
  });
  written.resolve();
  await Promise.all([distributing, erasing]);
  expect(await listDeliveries(app, token, id)).toEqual([]);
});
