import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { callByKey, createServiceKey } from '#test/modules/service-keys.ts';

const app = await startApp();

const list = (token?: string, query = '') =>
  app.request('GET', `/orgs/me/service-keys${query}`, token === undefined ? {} : { token });

test('lists the keys of one organisation, newest first, with their last use to the minute', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  await createServiceKey(app, theirs.token);
  const first = await createServiceKey(app, ours.token);
  app.clock.advance(1_000);
  const second = await createServiceKey(app, ours.token);
  const used_at = app.clock.now().toISOString();
  await callByKey(app, first.key);
  app.clock.advance(59_000);
  await callByKey(app, first.key);
  const { status, body } = await list(ours.token);
  expect(status).toBe(200);
  const rows = body.data.map((each: { id: string; last_used_at: string | null }) => [
    each.id,
    each.last_used_at,
  ]);
  expect(rows).toEqual([
    [second.id, null],
    [first.id, used_at],
  ]);
});

test('pages, and refuses cursors of another organisation', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  for (let count = 0; count < 3; count++) await createServiceKey(app, ours.token);
  const { body } = await list(ours.token, '?limit=2');
  const { next_cursor } = body.pagination as { next_cursor: string };
  expect((await list(ours.token, `?limit=2&cursor=${next_cursor}`)).body.data).toHaveLength(1);
  expect((await list(theirs.token, `?cursor=${next_cursor}`)).body.code).toBe('cursor_invalid');
});

test('an auditor may read it; viewers, members and strangers may not', async () => {
  const { org_id } = await app.registerOrgAdmin();
  expect((await list((await createColleague(app, org_id, 'auditor')).token)).status).toBe(200);
  expect((await list((await createColleague(app, org_id)).token)).status).toBe(403);
  expect((await list((await app.registerMember()).token)).status).toBe(403);
  expect((await list()).status).toBe(401);
});
