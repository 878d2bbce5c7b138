import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createDirectory, createGroupsFixture, sendWithoutRights } from '#test/modules/directories.ts';

const app = await startApp();
const { send, org_id, createGroup } = await createGroupsFixture(app);
const listIds = ({ Resources }: { Resources: { id: string }[] }) => Resources.map(({ id }) => id);

test('a directory lists its own groups in pages, and finds one by its name', async () => {
  const [one, two] = [await createGroup(), await createGroup()];
  const all = await send('GET', '/Groups');
  expect([all.status, listIds(all.body).toSorted()]).toEqual([200, [one.id, two.id].toSorted()]);
  const pages = [1, 2, 3].map((start) => send('GET', `/Groups?startIndex=${start}&count=1`));
  expect((await Promise.all(pages)).flatMap(({ body }) => listIds(body))).toEqual(listIds(all.body));
  const filter = encodeURIComponent(`displayName eq "${two.displayName.toUpperCase()}"`);
  expect(listIds((await send('GET', `/Groups?filter=${filter}`)).body)).toEqual([two.id]);
  const other = await createDirectory(app);
  expect((await other.send('GET', '/Groups')).body).toMatchObject({ totalResults: 0, Resources: [] });
});

test('a filter that is not supported and callers without the key are refused', async () => {
  const refused = await send('GET', '/Groups?filter=members eq "x"');
  expect([refused.status, refused.body.scimType]).toEqual([400, 'invalidFilter']);
  expect(await sendWithoutRights(app, org_id, 'GET', '/Groups')).toEqual([401, 403]);
});
