import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { noAccounts } from '#test/personal-data.ts';
import { createPlacement, sendFeedback, type TestMatch } from '#test/modules/feedback.ts';
import { personalData } from './personal-data.ts';

const app = await startApp();

async function createAnswered(): Promise<TestMatch> {
  const match = await createPlacement(app, 31);
  const body = { stage_days: 30, overall_rating: 4, comment: 'Quiet nights.' };
  for (const { token } of [match.member, match.org]) await sendFeedback(app, match, token, body);
  return match;
}

const countRows = async ({ match_id }: TestMatch) => {
  const { count } = await app.sql.one(sql<{ count: number }>`
    select (select count(*) from match_outcomes where match_id = ${match_id})
      + (select count(*) from match_feedback where match_id = ${match_id})
      + (select count(*) from feedback_stages where match_id = ${match_id}) as count`);
  return count;
};

test('an export has the outcomes of the member’s matches and the feedback of both sides', async () => {
  const { match_id, member } = await createAnswered();
  const [outcomes, feedback] = await personalData.exportPersonalData(app.sql, member.member_id, noAccounts);
  expect(outcomes).toMatchObject({ name: 'match_outcomes', rows: [{ match_id, outcome: 'placed' }] });
  const answer = { match_id, stage_days: 30, overall_rating: 4, comment: 'Quiet nights.' };
  expect(feedback!.name).toBe('match_feedback');
  expect(feedback!.rows.map((row) => String(row['respondent'])).toSorted()).toEqual([
    'member',
    'organisation',
  ]);
  for (const row of feedback!.rows) expect(row).toMatchObject(answer);
});

test('an erasure leaves nothing of one member, and everything of the others', async () => {
  const [leaving, staying] = [await createAnswered(), await createAnswered()];
  await app.sql.transaction((tx) => personalData.erasePersonalData(tx, leaving.member.member_id, noAccounts));
  expect([await countRows(leaving), await countRows(staying)]).toEqual([0, 4]);
});

test('when the matches of a member or an organisation are deleted, nothing about them stays', async () => {
  const match = await createAnswered();
  await app.sql.run(sql`delete from matches where job_id = ${match.job_id}`);
  expect(await countRows(match)).toBe(0);
});
