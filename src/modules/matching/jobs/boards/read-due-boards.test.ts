import { expect, test } from 'vitest';
import { createFetchOutbound } from '#platform/outbound/outbound.ts';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { nurse } from '#test/modules/jobs.ts';
import { buildGreenhouseBoard, startBoardServer, type BoardReplies } from '#test/modules/job-boards.ts';
import { runTask } from '#test/modules/matching.ts';
import { logInAgain } from '#test/users.ts';
import { readDueBoards } from './read-due-boards.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const replies: BoardReplies = new Map();
const server = await startBoardServer(replies);
const day_ms = 86_400_000;

type Titles = Readonly<Record<number, string>>;

/** An administrator who follows a board of their own, which `serve` changes. */
async function createFollower(titles: Titles, more: object = {}) {
  const admin = await app.registerOrgAdmin();
  const path = `/${admin.org_id}`;
  const serve = (jobs: Titles) => {
    const [job] = buildGreenhouseBoard().jobs;
    const body = Object.entries(jobs).map(([id, title]) => ({ ...job, id: Number(id), title }));
    replies.set(path, { body: JSON.stringify({ jobs: body }) });
  };
  serve(titles);
  let { token } = admin;
  const send = async (method: string, at: string, body?: object) => {
    const request = () => app.request(method, `/orgs/me/${at}`, { token, ...(body && { body }) });
    const reply = await request();
    if (reply.status !== 401) return reply;
    // The day has outlived the token.
    token = await logInAgain(app, admin);
    return request();
  };
  const followed = await send('POST', 'boards', { url: server + path, ...more });
  expect(followed.status).toBe(201);
  const { id } = followed.body;
  return {
    admin,
    path,
    serve,
    send,
    id: id as string,
    createJob: async (external_ref: string, title: string) =>
      (await send('POST', 'jobs', { ...nurse, title, external_ref })).body.id as string,
    listChanges: async () =>
      (await send('GET', 'board-changes')).body.data.map((each: Changes) => [each.change, each.draft.title]),
    readBoard: async () => (await send('GET', 'boards')).body.data[0],
    readStatus: async (job_id: string) => (await send('GET', `jobs/${job_id}`)).body.status,
  };
}

type Changes = { readonly id: string; readonly change: string; readonly draft: { readonly title: string } };

/** Goes on to the next day, and reads what is due then. */
async function passDay(): Promise<void> {
  app.clock.advance(day_ms + 3_600_001);
  await runTask(app, readDueBoards, {});
  await app.drainQueue();
}

test('a board is read every day: drafts, differences and postings that have gone wait for a person', async () => {
  const { serve, send, createJob, listChanges, readBoard, readStatus } = await createFollower({
    1: 'Nurse',
    2: 'Clerk',
  });
  expect(await readBoard()).toMatchObject({
    posting_count: 2,
    left_out: 0,
    read_at: app.clock.now().toISOString(),
  });
  expect((await listChanges()).toSorted()).toEqual([
    ['new', 'Clerk'],
    ['new', 'Nurse'],
  ]);
  const { body } = await send('GET', 'board-changes');
  expect(body.pagination.total_count).toBe(2);
  expect(body.data[0].draft).toMatchObject({ finding: 'proposed', job: null });
  const job_id = await createJob('1', 'Nurse');
  expect(await listChanges()).toEqual([['new', 'Clerk']]);

  serve({ 1: 'Night nurse', 2: 'Clerk' });
  expect(await listChanges()).toEqual([['new', 'Clerk']]);
  await passDay();
  const changed = (await send('GET', 'board-changes')).body.data[0];
  expect([changed.change, changed.draft.job.posted.title]).toEqual(['changed', 'Night nurse']);
  expect((await send('GET', `jobs/${job_id}`)).body.title).toBe('Nurse');
  await send('PATCH', `jobs/${job_id}`, changed.draft.job.posted);
  expect(await listChanges()).toEqual([['new', 'Clerk']]);
  await passDay();
  expect(await listChanges()).toEqual([['new', 'Clerk']]);

  serve({ 2: 'Clerk' });
  await passDay();
  expect(await listChanges()).toEqual([
    ['gone', 'Night nurse'],
    ['new', 'Clerk'],
  ]);
  await passDay();
  expect(await readStatus(job_id)).toBe('active');
  await send('DELETE', `jobs/${job_id}`);
  serve({});
  await passDay();
  expect(await listChanges()).toEqual([]);
});

test('changes that was put aside comes back when its posting changes', async () => {
  const { serve, send, listChanges } = await createFollower({ 1: 'Nurse' });
  const [{ id }] = (await send('GET', 'board-changes')).body.data;
  expect((await send('DELETE', `board-changes/${id}`)).status).toBe(204);
  expect((await send('DELETE', `board-changes/${id}`)).body.code).toBe('board_changes_not_found');
  await passDay();
  expect(await listChanges()).toEqual([]);
  serve({ 1: 'Ward nurse' });
  await passDay();
  expect(await listChanges()).toEqual([['new', 'Ward nurse']]);
});

test('jobs are closed only if the follower chose so, at the second reading a day apart, and not if somebody decided to keep them', async () => {
  const { id, serve, send, createJob, listChanges, readStatus } = await createFollower(
    { 1: 'Nurse', 2: 'Clerk', 3: 'Cook' },
    { closes_gone: true },
  );
  const nurse_id = await createJob('1', 'Nurse');
  const clerk_id = await createJob('2', 'Clerk');
  serve({ 3: 'Cook' });
  await passDay();
  expect((await listChanges()).toSorted()).toEqual([
    ['gone', 'Clerk'],
    ['gone', 'Nurse'],
    ['new', 'Cook'],
  ]);
  // Another reading at once is no second day.
  expect((await send('POST', `boards/${id}/read`)).status).toBe(200);
  expect([await readStatus(nurse_id), await readStatus(clerk_id)]).toEqual(['active', 'active']);
  const kept = (await send('GET', 'board-changes')).body.data.find(
    ({ draft }: Changes) => draft.title === 'Clerk',
  );
  await send('DELETE', `board-changes/${kept.id}`);
  await passDay();
  expect([await readStatus(nurse_id), await readStatus(clerk_id)]).toEqual(['closed', 'active']);
  expect(await listChanges()).toEqual([['new', 'Cook']]);
});

test('nothing is closed in the name of somebody who is no administrator any longer', async () => {
  const { admin, serve, createJob, readStatus } = await createFollower({ 1: 'Nurse' }, { closes_gone: true });
  const job_id = await createJob('1', 'Nurse');
  const other = crypto.randomUUID();
  await app.sql.run(sql`update boards set chosen_by = ${other} where org_id = ${admin.org_id}`);
  serve({});
  await passDay();
  await passDay();
  expect(await readStatus(job_id)).toBe('active');
});

test('after seven days of failures it pauses, with one email to each administrator, and goes on when it is resumed', async () => {
  const { admin, id, path, serve, send, readBoard } = await createFollower({ 1: 'Nurse', 2: 'Clerk' });
  await app.sql.run(sql`update users set email_verified_at = ${app.clock.now()} where id = ${admin.user_id}`);
  const countMails = async () =>
    (await app.readMails()).filter(({ to, subject }) => to.includes(admin.email) && /board/.test(subject))
      .length;
  replies.set(path, { body: '<html><body>Careers</body></html>' });
  // What a person asks for is not a day.
  const now = await send('POST', `boards/${id}/read`);
  expect(now.body).toMatchObject({
    failure_count: 0,
    last_fault: expect.stringContaining('publishes neither'),
  });
  for (let day = 1; day <= 6; day++) await passDay();
  expect(await readBoard()).toMatchObject({ is_active: true, failure_count: 6, posting_count: 2 });
  expect(await countMails()).toBe(0);
  for (let day = 7; day <= 9; day++) await passDay();
  expect(await readBoard()).toMatchObject({ is_active: false, failure_count: 7 });
  expect(await countMails()).toBe(1);
  serve({ 1: 'Nurse' });
  await send('PATCH', `boards/${id}`, { is_active: true });
  await passDay();
  expect(await readBoard()).toMatchObject({
    is_active: true,
    failure_count: 0,
    last_fault: null,
    posting_count: 1,
  });
});

test('what is too long, too often redirected, inside the network or gone is refused at first and recorded later', async () => {
  const { path, id, send, readBoard, serve } = await createFollower({ 1: 'Nurse', 2: 'Clerk' });
  const { fetchOutbound } = app.platform;
  const isAllowed = (address: string) => address === '127.0.0.1';
  Object.assign(app.platform, { fetchOutbound: createFetchOutbound({ allowPrivate: true, isAllowed }) });
  const inside = `${server.replace('127.0.0.1', '127.0.0.2')}/board`;
  const loop = { status: 302, location: '/loop' };
  replies.set('/loop', loop);
  const cases = [
    [{ body: ' '.repeat(1_000_001) }, 'sends a response that is too large'],
    [loop, 'redirects too often'],
    [{ status: 302, location: inside }, 'not on the public internet'],
    [{ status: 404 }, 'is not a page or board that exists'],
  ] as const;
  try {
    for (const [reply, reason] of cases) {
      replies.set(path, reply);
      replies.set('/other', reply);
      const refused = await send('POST', 'boards', { url: `${server}/other` });
      expect([refused.status, refused.body.errors[0]]).toEqual([
        422,
        { pointer: '/url', reason: expect.stringContaining(reason) },
      ]);
      expect((await send('POST', `boards/${id}/read`)).body.last_fault).toContain(reason);
    }
  } finally {
    Object.assign(app.platform, { fetchOutbound });
  }
  serve({ 1: 'Nurse' });
  expect((await send('POST', `boards/${id}/read`)).body.last_fault).toBeNull();
  expect((await readBoard()).posting_count).toBe(1);
});

test('a page about one job that no longer exists is a posting that has gone', async () => {
  const { path, createJob, listChanges } = await createFollower({ 1: 'Nurse' });
  await createJob('1', 'Nurse');
  replies.set(path, { status: 410 });
  await passDay();
  expect(await listChanges()).toEqual([['gone', 'Nurse']]);
});

test('an organisation that is suspended is not read for, and a paused board is not read', async () => {
  const { admin, id, send, serve, readBoard } = await createFollower({ 1: 'Nurse' });
  serve({ 1: 'Nurse', 2: 'Clerk' });
  await app.sql.run(
    sql`update organisations set suspended_at = ${app.clock.now()} where id = ${admin.org_id}`,
  );
  await passDay();
  await app.sql.run(sql`update organisations set suspended_at = null where id = ${admin.org_id}`);
  await send('PATCH', `boards/${id}`, { is_active: false });
  await passDay();
  expect((await readBoard()).posting_count).toBe(1);
  await send('PATCH', `boards/${id}`, { is_active: true });
  await passDay();
  expect((await readBoard()).posting_count).toBe(2);
});
