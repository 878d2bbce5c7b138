import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { buildEntraUser, buildPatch, createDirectory } from '#test/modules/directories.ts';

const app = await startApp();
const ours = await createDirectory(app);

test('a version that has changed is not overwritten, and one that is known is not sent again', async () => {
  const { body } = await ours.send('POST', '/Users', buildEntraUser());
  const path = `/Users/${body.id}`;
  const etag = body.meta.version as string;
  expect((await ours.send('GET', path, undefined, { 'if-none-match': etag })).status).toBe(304);
  const rename = (displayName: string, match: string) =>
    ours.send('PATCH', path, buildPatch({ op: 'replace', value: { displayName } }), { 'if-match': match });
  const changed = await rename('One', `W/${etag}`);
  expect(changed.status).toBe(200);
  expect((await rename('Two', etag)).status).toBe(412);
  expect((await ours.send('DELETE', path, undefined, { 'if-match': etag })).status).toBe(412);
  expect((await ours.send('GET', path)).body.displayName).toBe('One');
  // A change that changes nothing leaves the version and the time.
  app.clock.advance(60_000);
  expect((await rename('One', '*')).body).toEqual(changed.body);
});
