import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createDirectory } from '#test/modules/directories.ts';

const app = await startApp();
const { send, org_id } = await createDirectory(app);
const users = 2_000;
await app.sql.run(sql`
  insert into users (id, email, password_hash, role, org_id, created_at, last_login, suspended_at)
  select gen_random_uuid(), 'listed-' || number || '@harbour.example', '!', 'org_viewer', ${org_id}, date_trunc('second', now()) + number / 3 * interval '1 second', now(),
    case when number % 500 = 0 then now() end
  from generate_series(1, ${users}) as number`);
await app.sql.run(sql`analyze users`);

const list = async (query: string) => (await send('GET', `/Users?${query}`)).body;
const readNames = ({ Resources }: { Resources: { userName: string }[] }) =>
  Resources.map(({ userName }) => userName);

test('the pages have every user once, also those that begin where no page ended', async () => {
  const names: string[] = [];
  for (let start = 1; ;) {
    const page = await list(`startIndex=${start}&count=200`);
    expect([page.totalResults, page.startIndex, page.itemsPerPage]).toEqual([
      users + 1,
      start,
      page.Resources.length,
    ]);
    names.push(...readNames(page));
    if (page.Resources.length === 0) break;
    start += page.itemsPerPage;
  }
  expect([names.length, new Set(names).size]).toEqual([users + 1, users + 1]);
  // Not where a page ended, so it is counted from the first user.
  expect(readNames(await list('startIndex=1234&count=3'))).toEqual(names.slice(1233, 1236));
  expect(readNames(await list('startIndex=201&count=3'))).toEqual(names.slice(200, 203));
});

test('the limits of a page are those of the standard', async () => {
  expect(await list('count=0')).toMatchObject({ totalResults: users + 1, itemsPerPage: 0, Resources: [] });
  expect((await list('count=-5')).itemsPerPage).toBe(0);
  expect((await list('startIndex=-5&count=1')).startIndex).toBe(1);
  expect((await list('count=1000')).itemsPerPage).toBe(200);
  expect((await list('')).itemsPerPage).toBe(100);
  expect(await list('startIndex=5000')).toMatchObject({ totalResults: users + 1, Resources: [] });
  const inactive = await list('filter=active eq false&count=3');
  expect([inactive.totalResults, inactive.itemsPerPage]).toEqual([4, 3]);
  const rest = await list('filter=active eq false&count=3&startIndex=4');
  expect([rest.totalResults, rest.itemsPerPage]).toEqual([4, 1]);
});

test('a filter that is not supported is refused', async () => {
  const { status, body } = await send('GET', '/Users?filter=displayName co "a"');
  expect([status, body.scimType]).toEqual([400, 'invalidFilter']);
});
