import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { recordSoldRead } from '#test/modules/books.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const readSummary = (token: string) => app.request('GET', '/orgs/queries/earnings/summary', { token });

test('the income by month and by category adds up to the total', async () => {
  proves(
    'earnings-summary-endpoint-jwt',
    'earnings-summary-monthly-breakdown',
    'earnings-summary-top-trait-categories',
    'open-shape-earnings-summary-response',
  );
  const { token, member_id } = await app.registerMember();
  const sold = [
    ['2026-01-31T23:59:59.999Z', 'archetype', 50_000n],
    ['2026-02-01T00:00:00.000Z', 'alignment', 600_000n],
    ['2026-02-28T12:00:00.000Z', 'archetype', 33_333n],
    ['2026-02-28T13:00:00.000Z', 'values_profile', 0n],
  ] as const;
  for (const [at, data_type, gross] of sold)
    await recordSoldRead(app, member_id, { at: new Date(at), data_type, gross });
  const { body } = await readSummary(token);
  expect(body.monthly).toEqual([
    { month: '2026-02', earned: 0.474999, transaction_count: 2, recognition_count: 1 },
    { month: '2026-01', earned: 0.0375, transaction_count: 1, recognition_count: 0 },
  ]);
  expect(body.top_categories).toEqual([
    { category: 'alignment', earned: 0.45, transaction_count: 1, recognition_count: 0 },
    { category: 'archetype', earned: 0.062499, transaction_count: 2, recognition_count: 0 },
    { category: 'values_profile', earned: 0, transaction_count: 0, recognition_count: 1 },
  ]);
  expect(body.total_earned).toBe(0.512499);
  expect(body.pending_amount + body.available_amount).toBeCloseTo(0.512499, 9);
});

test('has the latest 24 months with reads', async () => {
  const { token, member_id } = await app.registerMember();
  for (let month = 0; month < 26; month++)
    await recordSoldRead(app, member_id, { at: new Date(Date.UTC(2024, month, 15)), gross: 50_000n });
  const months = (await readSummary(token)).body.monthly.map(({ month }: { month: string }) => month);
  expect([months.length, months[0], months.at(-1)]).toEqual([24, '2026-02', '2024-03']);
});

test('a member without reads has an empty summary', async () => {
  const { token } = await app.registerMember();
  expect((await readSummary(token)).body).toMatchObject({ total_earned: 0, monthly: [], top_categories: [] });
});

test('is the member’s own: organisations are refused', async () => {
  expect((await app.request('GET', '/orgs/queries/earnings/summary')).status).toBe(401);
  const { token } = await app.registerOrgAdmin();
  const { status, body } = await readSummary(token);
  expect([status, body.code]).toEqual([403, 'role_not_allowed']);
});
