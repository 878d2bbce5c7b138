import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { createDirectory, createGroupsFixture, sendWithoutRights } from '#test/modules/directories.ts';

const app = await startApp();
const { send, org_id, createGroup, createUser, listMembers } = await createGroupsFixture(app);

test('the members that are sent replace those of before, and stay if none are sent', async () => {
  const [one, two] = [await createUser(), await createUser()];
  const { id } = await createGroup([one]);
  const path = `/Groups/${id}`;
  const replaced = await send('PUT', path, { displayName: 'Nurses', members: [{ value: two }] });
  expect([replaced.status, replaced.body.displayName]).toEqual([200, 'Nurses']);
  expect(await listMembers(id)).toEqual([two]);
  expect((await send('PUT', path, { displayName: 'Ward nurses' })).status).toBe(200);
  expect(await listMembers(id)).toEqual([two]);
});

test('a directory replaces its own groups alone, by valid ones, with its key', async () => {
  const { id, displayName } = await createGroup();
  const other = await createDirectory(app);
  const body = { displayName: 'Theirs' };
  for (const group of [id, unknownId, 'no-id'])
    expect((await other.send('PUT', `/Groups/${group}`, body)).status).toBe(404);
  const bad = await send('PUT', `/Groups/${id}`, { displayName, members: [{ value: other.admin.user_id }] });
  expect([bad.status, bad.body.scimType]).toEqual([400, 'invalidValue']);
  expect((await send('PUT', `/Groups/${id}`, { displayName: '' })).status).toBe(400);
  expect(await sendWithoutRights(app, org_id, 'PUT', `/Groups/${id}`, body)).toEqual([401, 403]);
  expect((await send('GET', `/Groups/${id}`)).body.displayName).toBe(displayName);
});
