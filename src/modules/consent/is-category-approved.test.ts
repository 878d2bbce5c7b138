import { beforeAll, expect, test } from 'vitest';
import { queryCategories } from './rules.ts';
import { isCategoryApproved } from './is-category-approved.ts';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const decide = (token: string, consent_type: string, granted: boolean) =>
  app.request('POST', '/members/me/consent', { token, body: { consent_type, granted, version: '1' } });
const approve = (token: string, category: string, approved: boolean) =>
  app.request('PUT', '/orgs/queries/consent/category', { token, body: { category, approved } });
const sold = async (member_id: string) => {
  const answers = await Promise.all(
    queryCategories.map((category) =>
      app.sql.transaction((tx) => isCategoryApproved(tx, member_id, category)),
    ),
  );
  return queryCategories.filter((_, index) => answers[index]);
};

test('a category is sold only with both consents and its own approval, on the very next read', async () => {
  const { token, member_id } = await app.registerMember();
  expect(await sold(member_id)).toEqual([]);
  await decide(token, 'assessment_data', true);
  await decide(token, 'identity_queries', true);
  expect(await sold(member_id)).toEqual([]);
  await approve(token, 'archetype', true);
  await approve(token, 'alignment', true);
  expect(await sold(member_id)).toEqual(['archetype', 'alignment']);
  await approve(token, 'archetype', false);
  expect(await sold(member_id)).toEqual(['alignment']);
  await decide(token, 'identity_queries', false);
  expect(await sold(member_id)).toEqual([]);
});

test('nothing is sold of an account that is not active, nor of nobody', async () => {
  const { token, member_id } = await app.registerMember();
  await decide(token, 'assessment_data', true);
  await decide(token, 'identity_queries', true);
  await approve(token, 'archetype', true);
  expect(await sold(member_id)).toEqual(['archetype']);
  await app.request('DELETE', '/members/me', { token });
  expect(await sold(member_id)).toEqual([]);
  expect(await sold('00000000-0000-4000-8000-000000000000')).toEqual([]);
});

test('a withdrawal waits for the sale that is under way, and stops the one that waits for it', async () => {
  const { token, member_id } = await app.registerMember();
  await decide(token, 'assessment_data', true);
  await decide(token, 'identity_queries', true);
  await approve(token, 'archetype', true);
  const order: string[] = [];
  let withdrawal: Promise<unknown> = Promise.resolve();
  await app.sql.transaction(async (tx) => {
    expect(await isCategoryApproved(tx, member_id, 'archetype')).toBe(true);
    withdrawal = decide(token, 'identity_queries', false).then(() => order.push('withdrawn'));
    await waiting();
    order.push('sold');
  });
  await withdrawal;
  expect(order).toEqual(['sold', 'withdrawn']);
  expect(await sold(member_id)).toEqual([]);
});

/** Until somebody waits for a lock of ours. */
async function waiting(): Promise<void> {
  for (;;) {
    const { count } = await app.sql.one(
      sql<{
        count: number;
      }>`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (count > 0) return;
  }
}
