import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { unknownId, startApp, type TestApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { accountStatuses, assessmentPhases, isDeployed, type EngagementFacts } from './rules.ts';
import { findMember, insertMember } from './store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

test('the view deployed_members and the rules agree on every combination of facts', async () => {
  const members = listCombinations().map((facts, index) => ({
    ...facts,
    id: randomUUID(),
    external_id: `VIEW-${index}`,
    display_name: 'Combination',
    is_synthetic: false,
    created_at: app.clock.now(),
  }));
  await app.sql.run(sql`
    insert into members select * from jsonb_populate_recordset(null::members, ${JSON.stringify(members)})`);
  const rows = await app.sql.list(sql<{ id: string }>`select id from deployed_members`);
  const deployed = members.filter(isDeployed).map(({ id }) => id);
  expect(rows.map(({ id }) => id).sort()).toEqual(deployed.sort());
  expect(deployed).toHaveLength(2);
});

test('a new member has a unique external id, an active account and an empty profile', async () => {
  proves('member-external-id-form');
  const id = randomUUID();
  await app.sql.transaction((tx) => insertMember(tx, { id, display_name: 'Ada', now: app.clock.now() }));
  const member = await findMember(app.sql, id);
  expect(member).toMatchObject({
    id,
    display_name: 'Ada',
    account_status: 'active',
    assessment_phase: 'not_started',
  });
  expect(member).toMatchObject({
    current_industry: null,
    email_verified: false,
    created_at: app.clock.now(),
  });
  expect(member!.external_id).toMatch(/^MBR-[0-9A-HJKMNP-TV-Z]{8}$/);
});

test('draws another external id within the same transaction if one is already used', async () => {
  const [first, second] = [randomUUID(), randomUUID()];
  const draws = [1, 1, 2].map((value) => Uint8Array.of(value, 0, 0, 0, 0));
  await app.sql.transaction(async (tx) => {
    for (const id of [first, second])
      await insertMember(tx, { id, display_name: 'Twin', now: app.clock.now() }, () => draws.shift()!);
  });
  expect((await findMember(app.sql, first))!.external_id).not.toBe(
    (await findMember(app.sql, second))!.external_id,
  );
  expect(draws).toEqual([]);
});

test('the insertion fails if every drawn external id is already used', async () => {
  const drawSameBytes = () => Uint8Array.of(9, 9, 9, 9, 9);
  const insert = (id: string) =>
    app.sql.transaction((tx) =>
      insertMember(tx, { id, display_name: 'Same', now: app.clock.now() }, drawSameBytes),
    );
  await insert(randomUUID());
  const unlucky = randomUUID();
  await expect(insert(unlucky)).rejects.toThrow('no free external id');
  expect(await findMember(app.sql, unlucky)).toBeUndefined();
  expect(await findMember(app.sql, unknownId)).toBeUndefined();
});

function listCombinations(): readonly EngagementFacts[] {
  const booleans = [true, false];
  let all: object[] = [{}];
  const combineWith = (field: keyof EngagementFacts, values: readonly unknown[]) => {
    all = all.flatMap((facts) => values.map((value) => ({ ...facts, [field]: value })));
  };
  combineWith('account_status', accountStatuses);
  combineWith('assessment_phase', assessmentPhases);
  combineWith('email_verified', booleans);
  combineWith('assessment_consented', booleans);
  combineWith('matching_consented', booleans);
  combineWith('current_industry', ['health', null]);
  combineWith('years_experience', [0, null]);
  combineWith('education_level', ['none', null]);
  combineWith('location_country', ['AU', null]);
  combineWith('location_state', ['NSW', null]);
  return all as EngagementFacts[];
}
