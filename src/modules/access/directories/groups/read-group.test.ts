import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { createDirectory, createGroupsFixture, sendWithoutRights } from '#test/modules/directories.ts';

const app = await startApp();
const { send, org_id, createGroup, createUser } = await createGroupsFixture(app);

test('a group is read with its members or without them, and is not sent again while it is the same', async () => {
  const user = await createUser();
  const { id } = await createGroup([user]);
  const { status, body, headers } = await send('GET', `/Groups/${id}`);
  expect([status, body.id, body.members[0].value]).toEqual([200, id, user]);
  expect(headers['etag']).toBe(body.meta.version);
  const short = await send('GET', `/Groups/${id}?excludedAttributes=externalId,%20Members`);
  expect(short.body).not.toHaveProperty('members');
  const known = await send('GET', `/Groups/${id}`, undefined, { 'if-none-match': body.meta.version });
  expect(known.status).toBe(304);
});

test('a directory reads its own groups alone, with its key', async () => {
  const { id } = await createGroup();
  const other = await createDirectory(app);
  for (const group of [id, unknownId, 'no-id'])
    expect((await other.send('GET', `/Groups/${group}`)).status).toBe(404);
  expect((await send('GET', `/Groups/${'x'.repeat(101)}`)).status).toBe(400);
  expect(await sendWithoutRights(app, org_id, 'GET', `/Groups/${id}`)).toEqual([401, 403]);
});
