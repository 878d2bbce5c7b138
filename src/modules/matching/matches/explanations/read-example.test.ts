import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';

const app = await startApp();
const org = await app.registerOrgAdmin();
const read = (token?: string) =>
  app.request('GET', '/orgs/me/example-shortlist', token === undefined ? {} : { token });

test('the example has different fictional people, best first, each marked, and nobody of it is stored', async () => {
  const { status, body } = await read(org.token);
  expect([status, body.is_example]).toEqual([200, true]);
  expect(body.note).toContain('fictional');
  const people = body.people as readonly Readonly<Record<string, string>>[];
  expect(people.every(({ name }) => name!.startsWith('Example person'))).toBe(true);
  const tiers = people.map(({ match_tier }) => match_tier);
  expect([tiers[0], new Set(tiers).size >= 3]).toEqual(['exceptional', true]);
  const order = ['exceptional', 'strong', 'moderate', 'developing'];
  expect(tiers).toEqual(tiers.toSorted((one, other) => order.indexOf(one!) - order.indexOf(other!)));
  const words = people.map(({ name: _name, match_tier: _tier, ...explained }) => JSON.stringify(explained));
  expect(new Set(words).size).toBe(people.length);
  const { members } = await app.sql.one(
    sql<{ members: number }>`select count(*)::int as members from members`,
  );
  expect(members).toBe(0);
});

test('is for the users of an organisation', async () => {
  const viewer = await createColleague(app, org.org_id);
  expect((await read(viewer.token)).status).toBe(200);
  expect((await read()).status).toBe(401);
  const member = await app.registerMember();
  expect((await read(member.token)).body.code).toBe('role_not_allowed');
});
