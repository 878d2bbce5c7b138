import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { reverseJournal } from '#modules/income/books';
import { startApp } from '#test/harness.ts';
import { recordSoldRead } from '#test/modules/books.ts';
import { createPayment, findAliases, registerReadable, sendRead, useQuota } from '#test/modules/reads.ts';
import { computeFirstMonth } from './rules.ts';

const app = await startApp();
const member = await registerReadable(app);
const org = await app.registerOrgAdmin();
const [alias] = (await findAliases(app, org, [member])) as [string];

const read = (token: string | undefined) =>
  app.request('GET', '/orgs/queries/usage', token === undefined ? {} : { token });

test('what is left falls with each read, and spend is listed by month', async () => {
  expect((await read(org.token)).body).toMatchObject({
    daily_reads: 100,
    daily_reads_left: 100,
    free_reads: 5,
    free_reads_left: 5,
    currency: 'USD',
    monthly: [],
  });
  await sendRead(app, org, alias, { data_type: 'archetype' });
  app.clock.advance(1_000);
  await sendRead(app, org, alias, { payment: createPayment() });
  const { body } = await read(org.token);
  const { price } = (await app.request('GET', '/orgs/queries/reads', { token: org.token })).body.data[0];
  expect(body).toMatchObject({ daily_reads_left: 98, free_reads_left: 4 });
  const month = app.clock.now().toISOString().slice(0, 7);
  expect(body.monthly).toEqual([{ month, spent: price, paid_reads: 1, free_reads: 1 }]);
  expect(new Date(body.resets_at).toISOString()).toMatch(/T00:00:00\.000Z$/);
  const left_ms = new Date(body.resets_at).getTime() - app.clock.now().getTime();
  expect(left_ms > 0 && left_ms <= 86_400_000).toBe(true);
});

test('a lower tier never shows less than nothing left', async () => {
  const other = await app.registerOrgAdmin();
  await useQuota(app, other, 400);
  await app.sql.run(sql`insert into read_allowances (org_id, read_count) values (${other.org_id}, 40)`);
  expect((await read(other.token)).body).toMatchObject({ daily_reads_left: 0, free_reads_left: 0 });
});

test('a payment that was taken back is no spend', async () => {
  const [seller, buyer] = [await app.registerMember(), await app.registerOrgAdmin()];
  for (const gross of [400_000n, 250_000n])
    await recordSoldRead(app, seller.member_id, { gross, org_id: buyer.org_id });
  const readMonths = async () => (await read(buyer.token)).body.monthly;
  expect(await readMonths()).toMatchObject([{ spent: 0.65, paid_reads: 2, free_reads: 0 }]);
  const { journal } = await app.sql.one(sql<{ journal: string }>`
    select journal_id as journal from reads where org_id = ${buyer.org_id} and gross_micros = 400000`);
  await reverseJournal(app.platform, { journal, reason: 'the block was dropped' });
  expect(await readMonths()).toMatchObject([{ spent: 0.25, paid_reads: 2, free_reads: 0 }]);
  const { data } = (await app.request('GET', '/orgs/queries/reads', { token: buyer.token })).body;
  expect(data.map(({ status }: { status: string }) => status).toSorted()).toEqual(['recorded', 'reversed']);
});

test('spend reaches back to the first day of the eleventh month before', () => {
  expect(computeFirstMonth(new Date('2026-03-31T23:00:00Z'), 12)).toEqual(new Date('2025-04-01T00:00:00Z'));
  expect(computeFirstMonth(new Date('2026-12-01T00:00:00Z'), 12)).toEqual(new Date('2026-01-01T00:00:00Z'));
});

test('members and strangers are refused', async () => {
  expect((await read(member.token)).body.code).toBe('role_not_allowed');
  expect((await read(undefined)).status).toBe(401);
});
