import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { createMatch } from '#test/modules/feedback.ts';
import { runTask } from '#test/modules/matching.ts';
import { askForReview } from '#test/modules/reviews.ts';
import { sendReviewMail } from './send-review-mail.ts';

const app = await startApp({ TESSERA_PUBLIC_URL: 'https://tessera.example' });

test('an administrator who has become a viewer since is not emailed about a review', async () => {
  const match = await createMatch(app);
  const viewer = await createColleague(app, match.org.org_id);
  await app.sql.run(
    sql`update users set email_verified_at = ${app.clock.now()} where id = ${viewer.user_id}`,
  );
  const { id: review_id } = (await askForReview(app, match)).body;
  const { match_id } = match;
  const countMails = async ({ user_id, email }: { user_id: string; email: string }) => {
    const data = { review_id, match_id, change: 'requested', user_id, side: 'organisation' } as const;
    await runTask(app, sendReviewMail, data);
    const mails = (await app.readMails()).filter(({ to }) => to.includes(email));
    return mails.filter(({ subject }) => subject === 'A member asks for a human review').length;
  };
  expect([await countMails(match.org), await countMails(viewer)]).toEqual([1, 0]);
});
