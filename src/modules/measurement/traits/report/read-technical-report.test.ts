import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { itemBank } from '../items/item-bank.ts';

const app = await startApp();

test('everyone reads the technical report of the version in use, in the order of the review model, with what is not known', async () => {
  const { status, body } = await app.request('GET', '/technical-report');
  expect([status, body.bank, body.version]).toEqual([200, 'tessera', itemBank.parameter_version]);
  expect(body.sections.map(({ heading }: { heading: string }) => heading)).toEqual([
    'Materials',
    'Norms',
    'Reliability',
    'Conditional errors',
    'Structure',
    'Invariance',
    'Retest',
    'Validity',
    'Limits',
  ]);
  const missing = body.sections.filter((each: { missing: string[] }) => each.missing.length > 0);
  expect(missing.length).toBeGreaterThan(4);
  expect(body.sections[0].tables[0].rows).toHaveLength(18);
});

test('it is made once for all visitors of ten minutes, so that a visitor costs no more than one read', async () => {
  const first = await app.request('GET', '/technical-report');
  app.clock.advance(60_000);
  const again = await app.request('GET', '/technical-report');
  expect(again.body.created_at).toBe(first.body.created_at);
});

test('a failure is not kept', async () => {
  const own = await startApp();
  await own.sql.run(sql`alter table volunteers rename to volunteers_away`);
  expect((await own.request('GET', '/technical-report')).status).toBe(500);
  await own.sql.run(sql`alter table volunteers_away rename to volunteers`);
  expect((await own.request('GET', '/technical-report')).status).toBe(200);
});

test('it takes no input', async () => {
  expect((await app.request('GET', '/technical-report?bank=x')).status).toBe(422);
});
