import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { buildEntraUser, buildPatch, createDirectory } from '#test/modules/directories.ts';

const app = await startApp();
const ours = await createDirectory(app);
const { body: ourUser } = await ours.send('POST', '/Users', buildEntraUser());

test.each([
  ['PATCH', buildPatch({ op: 'move', path: 'active', value: true }), 'invalidSyntax'],
  ['PATCH', buildPatch({ op: 'replace', value: 'active' }), 'invalidSyntax'],
  ['PATCH', buildPatch({ op: 'remove' }), 'invalidPath'],
  ['PATCH', buildPatch({ op: 'replace', path: 'shoeSize', value: 44 }), 'invalidPath'],
  ['PATCH', buildPatch({ op: 'remove', path: 'userName' }), 'mutability'],
  ['PATCH', buildPatch({ op: 'replace', path: 'active', value: 'maybe' }), 'invalidValue'],
  ['PATCH', buildPatch({ op: 'replace', path: 'userName', value: 'nobody' }), 'invalidValue'],
  ['PATCH', buildPatch(), 'invalidValue'],
  ['PATCH', {}, 'invalidValue'],
] as const)('%s %j is refused, and changes nothing', async (method, body, scimType) => {
  const before = await ours.send('GET', `/Users/${ourUser.id}`);
  const { status, body: error } = await ours.send(method, `/Users/${ourUser.id}`, body);
  expect([status, error.scimType]).toEqual([400, scimType]);
  expect((await ours.send('GET', `/Users/${ourUser.id}`)).body).toEqual(before.body);
});
