import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createDirectory, createGroupsFixture, sendWithoutRights } from '#test/modules/directories.ts';

const app = await startApp();
const { send, org_id, createGroup, createUser } = await createGroupsFixture(app);

test('a group has the members that it is created with, and a name that no other group has', async () => {
  const user = await createUser();
  const { displayName, members } = await createGroup([user]);
  expect(members.map(({ value }) => value)).toEqual([user]);
  const taken = await send('POST', '/Groups', { displayName: displayName.toUpperCase() });
  expect([taken.status, taken.body.scimType]).toEqual([409, 'uniqueness']);
});

test('what is no group is refused, and so are users of others and callers without the key', async () => {
  const other = await createDirectory(app);
  const count = async () => (await send('GET', '/Groups?count=0')).body.totalResults;
  const before = await count();
  const strangers = { displayName: 'Strangers', members: [{ value: other.admin.user_id }] };
  for (const body of [{ displayName: '' }, { displayName: 'x'.repeat(201) }, strangers]) {
    const refused = await send('POST', '/Groups', body);
    expect([refused.status, refused.body.scimType]).toEqual([400, 'invalidValue']);
  }
  expect((await send('POST', '/Groups', {})).status).toBe(400);
  const refused = await sendWithoutRights(app, org_id, 'POST', '/Groups', { displayName: 'Nurses' });
  expect(refused).toEqual([401, 403]);
  expect(await count()).toBe(before);
});

test('an organisation has at most 200 groups', async () => {
  const directory = await createDirectory(app);
  await app.sql.run(sql`
    insert into directory_groups (id, org_id, display_name, version, created_at, changed_at)
    select gen_random_uuid(), ${directory.org_id}, 'Group ' || number, 1, now(), now() from generate_series(1, 200) as number`);
  const full = await directory.send('POST', '/Groups', { displayName: 'One more' });
  expect([full.status, full.body.scimType]).toEqual([409, 'tooMany']);
  const { body } = await directory.send('GET', '/Groups?startIndex=199&count=500');
  expect([body.totalResults, body.itemsPerPage]).toEqual([200, 2]);
});
