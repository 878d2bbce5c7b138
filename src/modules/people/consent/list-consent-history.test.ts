import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';

const app = await startApp();

const read = (token: string, query = '') =>
  app.request('GET', `/members/me/consent/history${query}`, { token });
const decide = (token: string, consent_type: string, granted = true) =>
  app.request('POST', '/members/me/consent', { token, body: { consent_type, granted, version: '1.0' } });
const approve = (token: string, category: string, approved = true) =>
  app.request('PUT', '/orgs/queries/consent/category', { token, body: { category, approved } });

test('lists decisions on consents and categories, newest first, also those that a withdrawal entails', async () => {
  const { token } = await app.registerMember();
  await decide(token, 'assessment_data');
  app.clock.advance(1_000);
  await decide(token, 'identity_queries');
  app.clock.advance(1_000);
  await approve(token, 'archetype');
  app.clock.advance(1_000);
  await decide(token, 'identity_queries', false);
  const { status, body } = await read(token);
  expect(status).toBe(200);
  const now = app.clock.now().toISOString();
  expect(body.data.slice(0, 2)).toEqual(
    expect.arrayContaining([
      {
        id: expect.any(String),
        consent_type: 'identity_queries',
        category: null,
        granted: false,
        version: '1.0',
        created_at: now,
      },
      {
        id: expect.any(String),
        consent_type: 'identity_queries',
        category: 'archetype',
        granted: false,
        version: null,
        created_at: now,
      },
    ]),
  );
  expect(body.data.slice(2)).toMatchObject([
    { consent_type: 'identity_queries', category: 'archetype', granted: true },
    { consent_type: 'identity_queries', category: null, granted: true },
    { consent_type: 'assessment_data', category: null, granted: true },
  ]);
  expect(body.pagination).toEqual({ next_cursor: null, has_more: false, total_count: 5 });
});

test('is empty before the first decision, and shows nobody else’s', async () => {
  const [one, other] = [await app.registerMember(), await app.registerMember()];
  await decide(one.token, 'matching');
  expect((await read(other.token)).body.data).toEqual([]);
});

test('pages contain every decision once, even if all have the same time; a cursor works for its member only', async () => {
  const [one, other] = [await app.registerMember(), await app.registerMember()];
  for (const type of ['assessment_data', 'identity_queries', 'matching']) await decide(one.token, type);
  for (const category of ['archetype', 'alignment']) await approve(one.token, category);
  const first = await read(one.token, '?limit=2');
  const foreign = await read(other.token, `?cursor=${first.body.pagination.next_cursor}`);
  expect(foreign.body.code).toBe('cursor_invalid');
  const ids: string[] = [];
  let query = '?limit=2';
  for (let pages = 0; pages < 3; pages++) {
    const { body } = await read(one.token, query);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    query = `?limit=2&cursor=${body.pagination.next_cursor}`;
  }
  expect([ids.length, new Set(ids).size]).toEqual([5, 5]);
});

test('rejects an unknown field, and callers who are anonymous or not members', async () => {
  const { token } = await app.registerMember();
  expect((await read(token, '?member_id=1')).status).toBe(422);
  expect((await app.request('GET', '/members/me/consent/history')).status).toBe(401);
  expect((await read((await app.registerOrgAdmin()).token)).body.code).toBe('role_not_allowed');
});
