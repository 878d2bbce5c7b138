import { expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createMatch, day_ms, type TestMatch } from '#test/modules/feedback.ts';
import { runTask } from '#test/modules/matching.ts';
import { answerReview, askForReview, readReviews, withdrawReview } from '#test/modules/reviews.ts';
import { logInAgain } from '#test/users.ts';
import { remindOfReviews } from './remind-of-reviews.ts';

const app = await startApp({ TESSERA_PUBLIC_URL: 'https://tessera.example' });

/** Runs the hourly task and what it starts. @returns the subjects of all emails about reviews to each side. */
async function readReviewMails({ member, org }: TestMatch) {
  await runTask(app, remindOfReviews, {});
  await app.drainQueue();
  const mails = (await app.readMails()).filter(({ subject }) => /review/i.test(subject));
  const listSubjects = (email: string) =>
    mails.filter(({ to }) => to.includes(email)).map(({ subject }) => subject);
  return { member: listSubjects(member.email), organisation: listSubjects(org.email), mails };
}

it('emails say when a review is requested, due soon and overdue, once each, and the overdue one is shown to all', async () => {
  const match = await createMatch(app);
  await askForReview(app, match);
  const asked = 'A member asks for a human review';
  expect(await readReviewMails(match)).toMatchObject({ member: [], organisation: [asked] });
  app.clock.advance(10 * day_ms);
  const soon = 'A human review is due soon';
  expect((await readReviewMails(match)).organisation).toEqual([asked]);
  app.clock.advance(day_ms);
  expect((await readReviewMails(match)).organisation).toEqual([asked, soon]);
  expect((await readReviewMails(match)).organisation).toHaveLength(2);
  app.clock.advance(4 * day_ms);
  const late = await readReviewMails(match);
  expect(late).toMatchObject({
    member: ['Your review is overdue'],
    organisation: [asked, soon, 'A human review is overdue'],
  });
  expect(late.mails.at(-1)!.text).toContain('16 March 2026');
  expect((await readReviewMails(match)).mails).toHaveLength(late.mails.length);

  const [member, org] = [await logInAgain(app, match.member), await logInAgain(app, match.org)];
  for (const token of [member, org])
    expect((await readReviews(app, match, token)).body.data[0].is_overdue).toBe(true);
  const { token } = await app.registerPlatformAdmin();
  const overdue = await app.request('GET', '/operator/reviews', { token });
  expect(overdue.body).toEqual({
    data: [
      {
        id: expect.any(String),
        org_id: match.org.org_id,
        organisation: 'Harbour Health',
        requested_at: '2026-03-02T09:00:00.000Z',
        due_on: '2026-03-16',
      },
    ],
    pagination: { next_cursor: null, has_more: false, total_count: 1 },
  });
  const answered = await answerReview(app, match, undefined, org);
  expect(answered.body).toMatchObject({ status: 'answered', is_overdue: false });
  const last = await readReviewMails(match);
  expect(last.member).toEqual(['Your review is overdue', 'Your review was answered']);
  expect(last.mails.at(-1)!.text).toContain(`https://tessera.example/app/matches/${match.match_id}/review`);
  expect((await app.request('GET', '/operator/reviews', { token })).body.data).toEqual([]);
});

it('nobody is emailed about a request that was withdrawn before', async () => {
  const match = await createMatch(app);
  await app.drainQueue();
  await askForReview(app, match);
  await withdrawReview(app, match);
  expect(await readReviewMails(match)).toMatchObject({ member: [], organisation: [] });
});
