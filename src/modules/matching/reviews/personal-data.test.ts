import { expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { noAccounts } from '#test/personal-data.ts';
import { createMatch } from '#test/modules/feedback.ts';
import { askForReview } from '#test/modules/reviews.ts';
import { personalData } from './personal-data.ts';

const app = await startApp();

it('a copy of the data has the requests and answers, and an erasure leaves nothing', async () => {
  const match = await createMatch(app);
  await askForReview(app, match, { reason: 'Please look again.' });
  const [reviews] = await personalData.exportPersonalData(app.sql, match.member.member_id, noAccounts);
  expect(reviews).toMatchObject({
    name: 'match_reviews',
    rows: [{ match_id: match.match_id, reason: 'Please look again.', status: 'open' }],
  });
  await app.sql.transaction((tx) => personalData.erasePersonalData(tx, match.member.member_id, noAccounts));
  expect(await app.sql.list(sql`select from match_reviews where match_id = ${match.match_id}`)).toEqual([]);
});
