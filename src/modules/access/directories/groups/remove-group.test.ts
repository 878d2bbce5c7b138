import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { createDirectory, createGroupsFixture, sendWithoutRights } from '#test/modules/directories.ts';

const app = await startApp();
const { send, org_id, createGroup, createUser, readRole, setRole } = await createGroupsFixture(app);

test('the members of a removed group are viewers again', async () => {
  const user = await createUser();
  const { id } = await createGroup([user]);
  await setRole(id, 'auditor');
  expect(await readRole(user)).toBe('auditor');
  expect((await send('DELETE', `/Groups/${id}`)).status).toBe(204);
  expect(await readRole(user)).toBe('org_viewer');
  expect((await send('DELETE', `/Groups/${id}`)).status).toBe(404);
});

test('a directory removes its own groups alone, with its key, in the version that it knows', async () => {
  const { id } = await createGroup();
  const other = await createDirectory(app);
  for (const group of [id, unknownId, 'no-id'])
    expect((await other.send('DELETE', `/Groups/${group}`)).status).toBe(404);
  expect((await send('DELETE', `/Groups/${'x'.repeat(101)}`)).status).toBe(400);
  expect((await send('DELETE', `/Groups/${id}`, undefined, { 'if-match': '"old"' })).status).toBe(412);
  expect(await sendWithoutRights(app, org_id, 'DELETE', `/Groups/${id}`)).toEqual([401, 403]);
  expect((await send('GET', `/Groups/${id}`)).status).toBe(200);
});
