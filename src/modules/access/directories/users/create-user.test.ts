import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { buildEntraUser, buildPatch, createDirectory } from '#test/modules/directories.ts';

const app = await startApp();
const ours = await createDirectory(app);
const { body: ourUser } = await ours.send('POST', '/Users', buildEntraUser());

test('an address outside the organisation is taken, in the same words for each owner', async () => {
  const stranger = await app.registerMember({ email: 'stranger@harbour.example' });
  const admin = await app.registerOrgAdmin({ email: 'boss@harbour.example' });
  const replies = await Promise.all(
    [stranger.email, admin.email, ourUser.userName].map((userName) =>
      ours.send('POST', '/Users', buildEntraUser({ userName })),
    ),
  );
  for (const { status, body } of replies) expect([status, body]).toEqual([409, replies[0]!.body]);
  const renamed = await ours.send(
    'PATCH',
    `/Users/${ourUser.id}`,
    buildPatch({ op: 'replace', path: 'userName', value: stranger.email }),
  );
  expect([renamed.status, renamed.body.scimType]).toEqual([409, 'uniqueness']);
});

test('a domain that is not proven admits nobody', async () => {
  for (const userName of ['a@unproven-directory.org', 'a@gmail.com']) {
    const { status, body } = await ours.send('POST', '/Users', buildEntraUser({ userName }));
    expect([status, body.detail]).toEqual([403, expect.stringContaining('must verify the domain')]);
  }
});

test('a user who is created inactive cannot log in until the directory says so', async () => {
  const { status, body } = await ours.send('POST', '/Users', buildEntraUser({ active: 'False' }));
  expect([status, body.active]).toEqual([201, false]);
  const enabled = await ours.send(
    'PATCH',
    `/Users/${body.id}`,
    buildPatch({ op: 'replace', value: { active: true } }),
  );
  expect(enabled.body.active).toBe(true);
});

test.each([
  [{ userName: undefined }, 'invalidValue'],
  [{ userName: 'nobody' }, 'invalidValue'],
  [{ active: 'maybe' }, 'invalidValue'],
  [{ roles: [{ value: 'org_admin' }] }, 'mutability'],
])('%j is refused, and nobody is created', async (change, scimType) => {
  const { totalResults } = (await ours.send('GET', '/Users?count=0')).body;
  const { status, body } = await ours.send('POST', '/Users', buildEntraUser(change));
  expect([status, body.scimType]).toEqual([400, scimType]);
  expect((await ours.send('GET', '/Users?count=0')).body.totalResults).toBe(totalResults);
});
