import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { buildEntraUser, createDirectory } from '#test/modules/directories.ts';

const app = await startApp();
const ours = await createDirectory(app);
const { body: ourUser } = await ours.send('POST', '/Users', buildEntraUser());

test.each([
  ['PUT', buildEntraUser({ userName: undefined }), 'invalidValue'],
  ['PUT', buildEntraUser({ externalId: 'x'.repeat(256) }), 'invalidValue'],
  ['PUT', buildEntraUser({ displayName: 'x'.repeat(201) }), 'invalidValue'],
] as const)('%s %j is refused, and changes nothing', async (method, body, scimType) => {
  const before = await ours.send('GET', `/Users/${ourUser.id}`);
  const { status, body: error } = await ours.send(method, `/Users/${ourUser.id}`, body);
  expect([status, error.scimType]).toEqual([400, scimType]);
  expect((await ours.send('GET', `/Users/${ourUser.id}`)).body).toEqual(before.body);
});

test('what is left out stays as it is', async () => {
  const { userName } = ourUser;
  const { status, body } = await ours.send('PUT', `/Users/${ourUser.id}`, { userName, title: 'Nurse' });
  expect([status, body]).toEqual([200, ourUser]);
});
