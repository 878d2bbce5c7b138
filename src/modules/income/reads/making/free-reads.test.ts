import { beforeEach, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import {
  createPayment,
  decideConsent,
  findAliases,
  readBooks,
  registerReadable,
  sendRead,
  spendAllowance,
  useQuota,
} from '#test/modules/reads.ts';
import type { TestMember, TestOrgUser } from '#test/users.ts';

let member: TestMember;
let org: TestOrgUser;
let alias: string;
const app = await startApp();
beforeEach(async () => {
  await app.sql.run(sql`update members set matching_consented = false`);
  member = await registerReadable(app);
  org = await app.registerOrgAdmin();
  [alias] = (await findAliases(app, org, [member])) as [string];
});

const query = (options: Parameters<typeof sendRead>[3] = {}) => sendRead(app, org, alias, options);
const readUsed = () =>
  app.sql.one(sql<object>`
    select (select sum(read_count)::int from read_counts where org_id = ${org.org_id}) as daily,
      (select read_count from read_allowances where org_id = ${org.org_id}) as free`);

test('the same free read of the same day is one read, also 20 times at once', async () => {
  const { reads } = await readBooks(app);
  const replies = await Promise.all(Array.from({ length: 20 }, () => query()));
  for (const { status, body } of replies) {
    expect(status).toBe(200);
    expect(body).toEqual(replies[0]!.body);
  }
  expect(await readUsed()).toEqual({ daily: 1, free: 1 });
  expect((await readBooks(app)).reads).toBe(reads + 1);
});

test('it stays the same when the quota or the free reads are used up, and a payment buys another one', async () => {
  const first = await query();
  await spendAllowance(app, org);
  await useQuota(app, org, 100);
  expect((await query()).body).toEqual(first.body);
  expect((await query({ payment: createPayment() })).body.code).toBe('query_quota_spent');
  await useQuota(app, org, 1);
  expect((await query({ payment: createPayment() })).body.query_metadata.payment_type).toBe('x402');
});

test('it is another read for another data type, another alias and another day', async () => {
  await query();
  await query({ data_type: 'archetype' });
  const [other] = (await findAliases(app, org, [member])) as [string];
  await sendRead(app, org, other);
  expect(await readUsed()).toEqual({ daily: 3, free: 3 });
  app.clock.advance(24 * 3_600_000);
  const { body } = await app.request('POST', '/auth/login', {
    body: { email: org.email, password: org.password },
  });
  await sendRead(app, { token: body.access_token }, alias);
  expect(await readUsed()).toEqual({ daily: 4, free: 4 });
});

test('it is refused after the member withdrew consent', async () => {
  await query();
  await decideConsent(app, member, 'identity_queries', false);
  expect((await query()).body.code).toBe('consent_required');
});
