import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { accountStatuses, assessmentPhases, isDeployed, type EngagementFacts } from './rules.ts';
import { findMember, insertMember } from './store.ts';
import { sql } from '#platform/database/database.ts';
import { unknownId, startApp, type TestApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

test('the view deployed_members and the rules agree on every combination of facts', async () => {
  const everyone = everyCombination().map((facts, index) => ({
    ...facts,
    id: randomUUID(),
    external_id: `VIEW-${index}`,
    display_name: 'Combination',
    created_at: app.clock.now(),
  }));
  await app.sql.run(sql`
    insert into members select * from jsonb_populate_recordset(null::members, ${JSON.stringify(everyone)})`);
  const rows = await app.sql.list(sql<{ id: string }>`select id from deployed_members`);
  const deployed = everyone.filter(isDeployed).map(({ id }) => id);
  expect(rows.map(({ id }) => id).sort()).toEqual(deployed.sort());
  expect(deployed).toHaveLength(2);
});

test('a new member has an external id of their own, an active account and an empty profile', async () => {
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

test('an external id that is taken is drawn again, within the same transaction', async () => {
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

test('where every draw is taken, the insertion fails instead of going on for ever', async () => {
  const taken = () => Uint8Array.of(9, 9, 9, 9, 9);
  const insert = (id: string) =>
    app.sql.transaction((tx) => insertMember(tx, { id, display_name: 'Same', now: app.clock.now() }, taken));
  await insert(randomUUID());
  const unlucky = randomUUID();
  await expect(insert(unlucky)).rejects.toThrow('no free external id');
  expect(await findMember(app.sql, unlucky)).toBeUndefined();
  expect(await findMember(app.sql, unknownId)).toBeUndefined();
});

function everyCombination(): readonly EngagementFacts[] {
  const either = [true, false];
  let all: object[] = [{}];
  const across = (field: keyof EngagementFacts, values: readonly unknown[]) => {
    all = all.flatMap((facts) => values.map((value) => ({ ...facts, [field]: value })));
  };
  across('account_status', accountStatuses);
  across('assessment_phase', assessmentPhases);
  across('email_verified', either);
  across('assessment_consented', either);
  across('matching_consented', either);
  across('current_industry', ['health', null]);
  across('years_experience', [0, null]);
  across('education_level', ['none', null]);
  across('location_country', ['AU', null]);
  across('location_state', ['NSW', null]);
  return all as EngagementFacts[];
}
