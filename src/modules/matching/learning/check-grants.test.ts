import { afterEach, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { runTask } from '#test/modules/matching.ts';
import { checkGrants } from './check-grants.ts';
import { learnFromOutcomes } from './learn.ts';
import { runAsLearner } from './store-observations.ts';

const app = await startApp();

afterEach(() => app.sql.run(sql`revoke all on self_identifications, members from tessera_learner`));

test.each([
  ['self_identifications', 'genders'],
  ['stated_identities', 'gender'],
  ['granted_consents', 'member_id'],
  ['members', 'display_name'],
  ['users', 'email'],
  ['match_feedback', 'comment'],
  ['consent_records', 'member_id'],
  ['deployed_profiles', 'member_id'],
])('the database refuses %s to learning', async (table, column) => {
  const read = runAsLearner(app.platform.database, (tx) =>
    tx.list({ ...sql`select from `, text: `select ${column} from ${table} limit 1` }),
  );
  await expect(read).rejects.toMatchObject({ code: '42501' });
});

test('learning sees no member who is not matched, whether it asks the view or the table', async () => {
  const { member_id } = await app.registerMember();
  for (const relation of ['deployed_members', 'members']) {
    const seen = await runAsLearner(app.platform.database, (tx) =>
      tx.list({ ...sql`select from `, text: `select id from ${relation}` }),
    ).catch((error: unknown) => {
      // Only nodes of a distributed database know the view by its table.
      if ((error as { readonly code?: string }).code === '42501') return [];
      throw error;
    });
    expect(seen).not.toContainEqual({ id: member_id });
  }
});

test('learning stops as soon as its role can read a self-identification, even one column of it', async () => {
  await checkGrants(app.platform.database);
  await app.sql.run(sql`grant select (genders) on self_identifications to tessera_learner`);
  await expect(runTask(app, learnFromOutcomes, {})).rejects.toThrow(
    'Learning stops, because tessera_learner can read self_identifications. Revoke it.',
  );
});

test('learning stops if its role can read anything else that the model does not need', async () => {
  await app.sql.run(sql`grant select on members to tessera_learner`);
  await expect(checkGrants(app.platform.database)).rejects.toThrow('can read members');
});

test('the role of learning ends with its transaction', async () => {
  await runAsLearner(app.platform.database, async (tx) => {
    expect(await tx.one(sql`select current_user as name`)).toEqual({ name: 'tessera_learner' });
  });
  expect(await app.platform.database.one(sql`select current_user as name`)).not.toEqual({
    name: 'tessera_learner',
  });
});
