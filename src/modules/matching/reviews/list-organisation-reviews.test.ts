import { expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createMatch } from '#test/modules/feedback.ts';
import { askForReview } from '#test/modules/reviews.ts';

const app = await startApp();

it('an organisation lists its own requests, open ones by due date and all of them the newest first, in pages', async () => {
  const match = await createMatch(app);
  const token = match.org.token;
  const list = (query: string) => app.request('GET', `/orgs/me/reviews${query}`, { token });
  await app.sql.run(sql`
    insert into match_reviews (job_id, match_id, number, id, org_id, status, requested_at, due_at, outcome, answer, closed_at)
    values (${match.job_id}, ${match.match_id}, 1, gen_random_uuid(), ${match.org.org_id}, 'answered', '2026-01-02', '2026-01-17',
      'changed', 'We have looked again.', '2026-01-10')`);
  await askForReview(app, match);
  const all = await list('');
  expect(all.body.data.map(({ status }: { status: string }) => status)).toEqual(['open', 'answered']);
  expect(all.body.data[0]).toMatchObject({ job_id: match.job_id, job_title: 'Night nurse' });
  const first = await list('?limit=1');
  expect(first.body.pagination).toMatchObject({ has_more: true, total_count: 2 });
  const second = await list(`?limit=1&cursor=${first.body.pagination.next_cursor}`);
  expect([first.body.data[0], second.body.data[0]]).toEqual(all.body.data);
  expect((await list('?status=open')).body.data).toEqual([all.body.data[0]]);
  expect((await list('?status=closed')).status).toBe(422);
  expect((await app.request('GET', '/orgs/me/reviews')).status).toBe(401);
  const other = await app.registerOrgAdmin();
  expect((await app.request('GET', '/orgs/me/reviews', { token: other.token })).body.data).toEqual([]);
});
