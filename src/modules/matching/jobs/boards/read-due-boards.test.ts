import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createFollower, passDay, startBoardServer, type BoardReplies } from '#test/modules/job-boards.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const replies: BoardReplies = new Map();
const boards = { replies, server: await startBoardServer(replies) };

test('a board is read every day: drafts, differences and postings that have gone wait for a person', async () => {
  const { serve, send, createJob, listChanges, readBoard, readStatus } = await createFollower(app, boards, {
    1: 'Nurse',
    2: 'Clerk',
  });
  expect(await readBoard()).toMatchObject({
    posting_count: 2,
    left_out: 0,
    read_at: app.clock.now().toISOString(),
  });
  expect(new Set(await listChanges())).toEqual(
    new Set([
      ['new', 'Clerk'],
      ['new', 'Nurse'],
    ]),
  );
  const { body } = await send('GET', 'board-changes');
  expect(body.pagination.total_count).toBe(2);
  expect(body.data[0].draft).toMatchObject({ finding: 'proposed', job: null });
  const job_id = await createJob('1', 'Nurse');
  expect(await listChanges()).toEqual([['new', 'Clerk']]);

  serve({ 1: 'Night nurse', 2: 'Clerk' });
  expect(await listChanges()).toEqual([['new', 'Clerk']]);
  await passDay(app);
  const changed = (await send('GET', 'board-changes')).body.data[0];
  expect([changed.change, changed.draft.job.posted.title]).toEqual(['changed', 'Night nurse']);
  expect((await send('GET', `jobs/${job_id}`)).body.title).toBe('Nurse');
  await send('PATCH', `jobs/${job_id}`, changed.draft.job.posted);
  expect(await listChanges()).toEqual([['new', 'Clerk']]);
  await passDay(app);
  expect(await listChanges()).toEqual([['new', 'Clerk']]);

  serve({ 2: 'Clerk' });
  await passDay(app);
  expect(await listChanges()).toEqual([
    ['gone', 'Night nurse'],
    ['new', 'Clerk'],
  ]);
  await passDay(app);
  expect(await readStatus(job_id)).toBe('active');
  await send('DELETE', `jobs/${job_id}`);
  serve({});
  await passDay(app);
  expect(await listChanges()).toEqual([]);
});

test('jobs are closed only if the follower chose so, at the second reading a day apart, and not if somebody decided to keep them', async () => {
  const { id, serve, send, createJob, findChange, listChanges, readStatus } = await createFollower(
    app,
    boards,
    { 1: 'Nurse', 2: 'Clerk', 3: 'Cook' },
    { closes_gone: true },
  );
  const nurse_id = await createJob('1', 'Nurse');
  const clerk_id = await createJob('2', 'Clerk');
  serve({ 3: 'Cook' });
  await passDay(app);
  expect(new Set(await listChanges())).toEqual(
    new Set([
      ['gone', 'Clerk'],
      ['gone', 'Nurse'],
      ['new', 'Cook'],
    ]),
  );
  // Another reading at once is no second day.
  expect((await send('POST', `boards/${id}/read`)).status).toBe(200);
  expect([await readStatus(nurse_id), await readStatus(clerk_id)]).toEqual(['active', 'active']);
  const kept = await findChange('Clerk');
  await send('DELETE', `board-changes/${kept.id}`);
  await passDay(app);
  expect([await readStatus(nurse_id), await readStatus(clerk_id)]).toEqual(['closed', 'active']);
  expect(await listChanges()).toEqual([['new', 'Cook']]);
});

test('nothing is closed in the name of somebody who is no administrator any longer', async () => {
  const { admin, serve, createJob, readStatus } = await createFollower(
    app,
    boards,
    { 1: 'Nurse' },
    { closes_gone: true },
  );
  const job_id = await createJob('1', 'Nurse');
  const other = crypto.randomUUID();
  await app.sql.run(sql`update boards set chosen_by = ${other} where org_id = ${admin.org_id}`);
  serve({});
  await passDay(app);
  await passDay(app);
  expect(await readStatus(job_id)).toBe('active');
});

test('after seven days of failures it pauses, with one email to each administrator, and goes on when it is resumed', async () => {
  const { admin, id, path, serve, send, readBoard } = await createFollower(app, boards, {
    1: 'Nurse',
    2: 'Clerk',
  });
  await app.sql.run(sql`update users set email_verified_at = ${app.clock.now()} where id = ${admin.user_id}`);
  const countMails = async () =>
    (await app.readMails()).filter(({ to, subject }) => to.includes(admin.email) && /board/.test(subject))
      .length;
  boards.replies.set(path, { body: '<html><body>Careers</body></html>' });
  // What a person asks for is not a day.
  const now = await send('POST', `boards/${id}/read`);
  expect(now.body).toMatchObject({
    failure_count: 0,
    last_fault: expect.stringContaining('publishes neither'),
  });
  for (let day = 1; day <= 6; day++) await passDay(app);
  expect(await readBoard()).toMatchObject({ is_active: true, failure_count: 6, posting_count: 2 });
  expect(await countMails()).toBe(0);
  for (let day = 7; day <= 9; day++) await passDay(app);
  expect(await readBoard()).toMatchObject({ is_active: false, failure_count: 7 });
  expect(await countMails()).toBe(1);
  serve({ 1: 'Nurse' });
  await send('PATCH', `boards/${id}`, { is_active: true });
  await passDay(app);
  expect(await readBoard()).toMatchObject({
    is_active: true,
    failure_count: 0,
    last_fault: null,
    posting_count: 1,
  });
});

test('a page about one job that no longer exists is a posting that has gone', async () => {
  const { path, createJob, listChanges } = await createFollower(app, boards, { 1: 'Nurse' });
  await createJob('1', 'Nurse');
  boards.replies.set(path, { status: 410 });
  await passDay(app);
  expect(await listChanges()).toEqual([['gone', 'Nurse']]);
});

test('an organisation that is suspended is not read for, and a paused board is not read', async () => {
  const { admin, id, send, serve, readBoard } = await createFollower(app, boards, { 1: 'Nurse' });
  serve({ 1: 'Nurse', 2: 'Clerk' });
  await app.sql.run(
    sql`update organisations set suspended_at = ${app.clock.now()} where id = ${admin.org_id}`,
  );
  await passDay(app);
  await app.sql.run(sql`update organisations set suspended_at = null where id = ${admin.org_id}`);
  await send('PATCH', `boards/${id}`, { is_active: false });
  await passDay(app);
  expect((await readBoard()).posting_count).toBe(1);
  await send('PATCH', `boards/${id}`, { is_active: true });
  await passDay(app);
  expect((await readBoard()).posting_count).toBe(2);
});
