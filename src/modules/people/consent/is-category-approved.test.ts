import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { waitUntilBlocked } from '#test/wait-until-blocked.ts';
import { queryCategories } from './rules.ts';
import { isCategoryApproved } from './find-read-consent.ts';

const app = await startApp();

const decide = (token: string, consent_type: string, granted: boolean) =>
  app.request('POST', '/members/me/consent', { token, body: { consent_type, granted, version: '1.0' } });
const approve = (token: string, category: string, approved: boolean) =>
  app.request('PUT', '/orgs/queries/consent/category', { token, body: { category, approved } });
const listSoldCategories = async (member_id: string) => {
  const approvals = await Promise.all(
    queryCategories.map((category) =>
      app.sql.transaction((tx) => isCategoryApproved(tx, member_id, category)),
    ),
  );
  return queryCategories.filter((_, index) => approvals[index]);
};

test('a category may be sold only with both consents and its approval, and each decision takes effect at once', async () => {
  const { token, member_id } = await app.registerMember();
  expect(await listSoldCategories(member_id)).toEqual([]);
  await decide(token, 'assessment_data', true);
  await decide(token, 'identity_queries', true);
  expect(await listSoldCategories(member_id)).toEqual([]);
  await approve(token, 'archetype', true);
  await approve(token, 'alignment', true);
  expect(await listSoldCategories(member_id)).toEqual(['archetype', 'alignment']);
  await approve(token, 'archetype', false);
  expect(await listSoldCategories(member_id)).toEqual(['alignment']);
  await decide(token, 'identity_queries', false);
  expect(await listSoldCategories(member_id)).toEqual([]);
});

test('nothing may be sold for an inactive account or an unknown member', async () => {
  const { token, member_id } = await app.registerMember();
  await decide(token, 'assessment_data', true);
  await decide(token, 'identity_queries', true);
  await approve(token, 'archetype', true);
  expect(await listSoldCategories(member_id)).toEqual(['archetype']);
  await app.request('DELETE', '/members/me', { token });
  expect(await listSoldCategories(member_id)).toEqual([]);
  expect(await listSoldCategories(unknownId)).toEqual([]);
});

test('a withdrawal waits for a running sale to commit, and blocks later sales', async () => {
  const { token, member_id } = await app.registerMember();
  await decide(token, 'assessment_data', true);
  await decide(token, 'identity_queries', true);
  await approve(token, 'archetype', true);
  const order: string[] = [];
  let withdrawal: Promise<unknown> = Promise.resolve();
  await app.sql.transaction(async (tx) => {
    expect(await isCategoryApproved(tx, member_id, 'archetype')).toBe(true);
    withdrawal = decide(token, 'identity_queries', false).then(() => order.push('withdrawn'));
    await waitUntilBlocked(app);
    order.push('sold');
  });
  await withdrawal;
  expect(order).toEqual(['sold', 'withdrawn']);
  expect(await listSoldCategories(member_id)).toEqual([]);
});
