import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { unknownId, startApp } from '#test/harness.ts';
import {
  changeMember,
  recordAssessmentPhase,
  recordConsentFact,
  recordEmailVerified,
} from './change-member.ts';
import { findMember } from './store.ts';

const app = await startApp();

async function countCrossings(member_id: string): Promise<{ deployed: number; undeployed: number }> {
  return app.sql.one(sql<{ deployed: number; undeployed: number }>`
    select count(*) filter (where type = 'member.deployed') as deployed,
      count(*) filter (where type = 'member.undeployed') as undeployed
    from events where data->>'member_id' = ${member_id}`);
}

test('stores each fact and changes no other', async () => {
  const { member_id } = await app.registerMember();
  await app.sql.transaction(async (tx) => {
    await recordEmailVerified(app.platform, tx, member_id);
    await recordConsentFact(app.platform, tx, member_id, 'assessment_data', true);
    await recordConsentFact(app.platform, tx, member_id, 'credential_sharing', true);
    await recordAssessmentPhase(app.platform, tx, member_id, 'in_progress');
  });
  expect(await findMember(app.sql, member_id)).toMatchObject({
    email_verified: true,
    assessment_consented: true,
    matching_consented: false,
    assessment_phase: 'in_progress',
    current_industry: null,
  });
});

test('deploys a member when the last missing condition is met, for each condition', async () => {
  const cases = [
    { last: { email_verified: true }, before: { email_verified: false } },
    { last: { assessment_consented: true }, before: { assessment_consented: false } },
    { last: { assessment_phase: 'complete' }, before: { assessment_phase: 'in_progress' } },
    { last: { matching_consented: true }, before: { matching_consented: false } },
    { last: { account_status: 'active' }, before: { account_status: 'suspended' } },
  ] as const;
  const { member_id } = await app.registerDeployedMember();
  for (const [index, { last, before }] of cases.entries()) {
    await app.sql.transaction((tx) => changeMember(app.platform, tx, member_id, before));
    expect(await countCrossings(member_id)).toEqual({ deployed: index + 1, undeployed: index + 1 });
    await app.sql.transaction((tx) => changeMember(app.platform, tx, member_id, last));
    expect(await countCrossings(member_id)).toEqual({ deployed: index + 2, undeployed: index + 1 });
  }
});

test('emits member.deployed exactly once when two concurrent changes together deploy a member', async () => {
  const { member_id } = await app.registerDeployedMember();
  for (let round = 1; round <= 10; round++) {
    await app.sql.transaction((tx) =>
      changeMember(app.platform, tx, member_id, { matching_consented: false, email_verified: false }),
    );
    await Promise.all([
      app.sql.transaction((tx) => recordEmailVerified(app.platform, tx, member_id)),
      app.sql.transaction((tx) => recordConsentFact(app.platform, tx, member_id, 'matching', true)),
    ]);
    expect(await countCrossings(member_id)).toEqual({ deployed: round + 1, undeployed: round });
  }
});

test('emits member.undeployed exactly once for many concurrent withdrawals', async () => {
  const { member_id } = await app.registerDeployedMember();
  const withdraw = () =>
    app.sql.transaction((tx) => recordConsentFact(app.platform, tx, member_id, 'matching', false));
  await Promise.all(Array.from({ length: 6 }, withdraw));
  expect(await countCrossings(member_id)).toEqual({ deployed: 1, undeployed: 1 });
});

test('a change that is rolled back emits no event and stores nothing', async () => {
  const { member_id } = await app.registerDeployedMember();
  const rollBack = app.sql.transaction(async (tx) => {
    await recordConsentFact(app.platform, tx, member_id, 'matching', false);
    throw new Error('rolled back');
  });
  await expect(rollBack).rejects.toThrow('rolled back');
  expect(await countCrossings(member_id)).toEqual({ deployed: 1, undeployed: 0 });
  expect(await findMember(app.sql, member_id)).toMatchObject({ matching_consented: true });
});

test('rejects an unknown member', async () => {
  const change = app.sql.transaction((tx) => recordEmailVerified(app.platform, tx, unknownId));
  await expect(change).rejects.toMatchObject({ code: 'member_not_found' });
});
