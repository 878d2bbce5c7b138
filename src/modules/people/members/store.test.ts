import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { accountStatuses, assessmentPhases, isDeployed, type EngagementFacts } from './engagement.ts';
import { findMember, insertMember } from './store.ts';

const app = await startApp();

test('the view deployed_members and the rules agree on every combination of facts', async () => {
  const members = listCombinations().map((facts) => ({
    ...facts,
    id: randomUUID(),
    display_name: 'Combination',
    is_synthetic: false,
    is_unclaimed: false,
    created_at: app.clock.now(),
  }));
  await app.sql.run(sql`
    insert into members select * from jsonb_populate_recordset(null::members, ${JSON.stringify(members)})`);
  const rows = await app.sql.list(sql<{ id: string }>`select id from deployed_members`);
  const deployed = members.filter(isDeployed).map(({ id }) => id);
  expect(rows.map(({ id }) => id).sort()).toEqual(deployed.sort());
  expect(deployed).toHaveLength(2);
});

test('a new member has an active account and an empty profile', async () => {
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
