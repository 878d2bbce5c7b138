import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import {
  approveCategory,
  createPayment,
  findAliases,
  registerReadable,
  sendRead,
  spendAllowance,
} from '#test/modules/reads.ts';

const app = await startApp({ TESSERA_RATE_LIMITS: 'on' });

/** An organisation without free reads that has got so many answers today, and a member of its matches who does not sell values. */
const prepare = async (refused_count: number, own = app) => {
  await own.sql.run(sql`update members set matching_consented = false`);
  const member = await registerReadable(own);
  await approveCategory(own, member, 'values_profile', false);
  const org = await own.registerOrgAdmin();
  const [alias] = (await findAliases(own, org, [member])) as [string];
  await spendAllowance(own, org);
  const day = own.clock.now().toISOString().slice(0, 10);
  await own.sql.run(sql`
    insert into read_counts (org_id, day, read_count, refused_count) values (${org.org_id}, ${day}, 0, ${refused_count})`);
  const ask = (options: Parameters<typeof sendRead>[3] = {}) => sendRead(own, org, alias, options);
  return { org, ask };
};

test.each([
  ['a price', 402, 'payment_required', ({ ask }) => ask()],
  ['a refused category', 403, 'category_not_approved', ({ ask }) => ask({ data_type: 'values_profile' })],
  ['a missing culture', 404, 'culture_profile_not_ready', ({ ask }) => ask({ data_type: 'alignment' })],
] as const satisfies readonly (readonly [
  string,
  number,
  string,
  (made: Awaited<ReturnType<typeof prepare>>) => ReturnType<typeof sendRead>,
])[])('%s is answered in 30 days as often as the tier has reads a day', async (_name, status, code, send) => {
  const made = await prepare(99);
  const last = await send(made);
  expect([last.status, last.body.code]).toEqual([status, code]);
  const refused = await send(made);
  expect([refused.status, refused.body.code]).toEqual([429, 'query_quota_spent']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.body.pricing).toBeUndefined();
  expect(refused.headers['payment-required']).toBeUndefined();
});

test('days before count for 30 days, and each read gives one more answer', async () => {
  const { org, ask } = await prepare(0);
  const setEarlier = (days: number) => {
    const day = new Date(app.clock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10);
    return app.sql.run(sql`
      insert into read_counts (org_id, day, read_count, refused_count) values (${org.org_id}, ${day}, 0, 100)`);
  };
  await setEarlier(30);
  expect((await ask()).status).toBe(402);
  await setEarlier(29);
  expect((await ask()).status).toBe(429);
  await ask({ payment: createPayment() });
  await ask({ payment: createPayment() });
  expect([(await ask()).status, (await ask()).status]).toEqual([402, 429]);
});

test('a payment still buys a read, and the same payment still returns it', async () => {
  const { ask } = await prepare(100);
  const payment = createPayment();
  const read = await ask({ payment });
  expect(read.status).toBe(200);
  expect((await ask({ payment })).body).toEqual(read.body);
  expect((await ask({ payment, data_type: 'archetype' })).body.code).toBe('payment_already_used');
  expect((await ask({ payment, data_type: 'archetype' })).body.code).toBe('query_quota_spent');
});

test('an id that names nobody for the organisation is not counted', async () => {
  const { org } = await prepare(100);
  const reply = await sendRead(app, org, '00000000-0000-4000-8000-000000000000');
  expect(reply.body.code).toBe('member_not_found');
});

test('answers are not limited where rate limits are off', async () => {
  const { ask } = await prepare(100, await startApp());
  expect((await ask()).status).toBe(402);
});
