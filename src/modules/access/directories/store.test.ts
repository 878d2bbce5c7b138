import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { countBlocks } from '#test/count-blocks.ts';
import { startApp } from '#test/harness.ts';
import { createDirectory } from '#test/modules/directories.ts';
import type { UserFilter } from './filter.ts';
import { countDirectoryUsers, listDirectoryUsers, type PageStart } from './store.ts';

const app = await startApp();
const { org_id, send } = await createDirectory(app);
const users = 100_000;
await app.sql.run(sql`
  insert into users (id, email, password_hash, role, org_id, created_at, last_login, suspended_at)
  select gen_random_uuid(), 'user-' || number || '@harbour.example', '!', 'org_viewer', ${org_id},
    date_trunc('second', now()) + number * interval '1 second', now(), case when number % 1000 = 0 then now() end
  from generate_series(1, ${users}) as number`);
await app.sql.run(sql`
  insert into directory_users (user_id, org_id, external_id, changed_at)
  select id, org_id, 'external-' || email, now() from users where org_id = ${org_id}`);
await app.sql.run(sql`analyze users`);
await app.sql.run(sql`analyze directory_users`);

const page_users = 100;
const measure = (start: PageStart, filter: UserFilter = {}) =>
  countBlocks(app, (db) => listDirectoryUsers(db, { org_id, filter }, start, page_users));
const findPlace = async (skipped: number): Promise<PageStart> => {
  const [user] = await listDirectoryUsers(app.sql, { org_id, filter: {} }, { after: undefined, skipped }, 1);
  return { after: [user!.created_at.toISOString(), user!.id], skipped: 0 };
};

test('a page costs the same wherever it follows another one in 100,000 users', async () => {
  const first = await measure({ after: undefined, skipped: 0 });
  for (const skipped of [1_000, 50_000, users - page_users])
    expect(await measure(await findPlace(skipped))).toBeLessThan(1.5 * first);
});

test.each<[string, UserFilter, number, number]>([
  ['userName', { user_name: 'user-77777@harbour.example' }, 1, 50],
  ['externalId', { external_id: 'external-user-88888@harbour.example' }, 1, 50],
  ['a userName that nobody has', { user_name: 'nobody' }, 0, 50],
  ['active false', { active: false }, 100, 2_000],
  ['active true and externalId', { active: true, external_id: 'external-user-5@harbour.example' }, 1, 50],
])('a filter by %s reads few blocks', async (_, filter, found, blocks_max) => {
  expect(await countDirectoryUsers(app.sql, { org_id, filter })).toBe(found);
  expect(await measure({ after: undefined, skipped: 0 }, filter)).toBeLessThan(blocks_max);
  const counting = await countBlocks(app, (db) => countDirectoryUsers(db, { org_id, filter }));
  expect(counting).toBeLessThan(blocks_max);
});

test('the endpoint continues where a page ended', async () => {
  const first = await send('GET', '/Users?startIndex=1&count=200');
  const second = await send('GET', '/Users?startIndex=201&count=2');
  expect([first.body.totalResults, second.body.totalResults]).toEqual([users + 1, users + 1]);
  expect(second.body.Resources.map(({ userName }: { userName: string }) => userName)).toEqual([
    'user-200@harbour.example',
    'user-201@harbour.example',
  ]);
});
