import { expect, test } from 'vitest';
import { findFreePort } from '#test/free-port.ts';
import { startApp } from '../harness.ts';
import { buildJobPage, buildLeverBoard, startBoardServer, type BoardReplies } from '../modules/job-boards.ts';
import { password } from '../users.ts';
import { fillJobForm } from './fill-job-form.ts';
import { createVisitor, readText, type Visitor } from './visitor.ts';

const port = await findFreePort();
const app = await startApp({
  TESSERA_PUBLIC_URL: `http://localhost:${port}`,
  TESSERA_PORT: String(port),
  TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true',
});
const replies: BoardReplies = new Map();
const server = await startBoardServer(replies);
const serve = (board: unknown) => void replies.set('/board', { body: JSON.stringify(board) });
const url = `${server}/board`;
const path = '/app/jobs/import';

const admin = await app.registerOrgAdmin();
const visitor = createVisitor(app);
await visitor.send(await visitor.open('/sign-in'), 'send', { email: admin.email, password });
const readJobs = async () =>
  (await app.request('GET', '/orgs/me/jobs', { token: admin.token })).body.data as Record<string, unknown>[];

test('a recruiter looks at the draft of a posting, creates the job, and takes over what the board changes later', async () => {
  serve(buildLeverBoard());
  const found = await visitor.send(await visitor.open(path), 'address', { url });
  expect(readText(found)).toContain('Ward nurse Proposed: Calm under pressure');
  const editor = await visitor.send(found, 'fill', {});
  expect(readText(editor)).toContain('The text says “calm” and “emergencies”.');
  expect(await readJobs()).toEqual([]);
  const created = await visitor.send(editor, 'send', fillJobForm(editor, {}));
  expect(created.address).toContain('notice=jobCreated');
  expect(await readJobs()).toMatchObject([
    {
      title: 'Ward nurse',
      external_ref: buildLeverBoard()[0]!.id,
      remote_policy: 'hybrid',
      salary_min: 78_000,
    },
  ]);
  const same = await visitor.send(await visitor.open(path), 'address', { url });
  expect(readText(same)).toContain('You have this job. It says what the posting says.');
  serve([{ ...buildLeverBoard()[0], text: 'Night nurse', workplaceType: 'onsite' }]);
  const changed = await visitor.send(await visitor.open(path), 'address', { url });
  expect(readText(changed)).toMatch(/The posting says something else: .*Ward nurse Night nurse/);
  expect((await readJobs())[0]).toMatchObject({ title: 'Ward nurse', remote_policy: 'hybrid' });
  const accepted = await visitor.send(changed, 'accept', {});
  expect(accepted.address).toContain('notice=jobSaved');
  expect(await readJobs()).toMatchObject([
    { title: 'Night nurse', remote_policy: 'onsite', salary_min: 78_000 },
  ]);
});

test('a file becomes drafts, and what cannot be read is refused beside its field', async () => {
  const page = await visitor.open(path);
  const toBase64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64');
  const read = await visitor.send(page, 'upload', {
    document: toBase64(buildJobPage({ title: 'Clerk <b>' })),
  });
  expect(readText(read)).toContain('Clerk Proposed:');
  const csv = 'title;outcome_description\nPorter;You are reliable.\n';
  const table = await visitor.send(page, 'upload', { document: toBase64(csv) });
  expect(readText(table)).toContain('Porter Proposed: Accountability');
  const faulty = await visitor.send(page, 'upload', { document: toBase64(`${csv};\nCook;\n`) });
  expect([faulty.status, readText(faulty)]).toEqual([
    422,
    expect.stringContaining('column outcome_description: must be filled in'),
  ]);
  const refused = await visitor.send(page, 'address', { url: `${server}/unknown` });
  expect([refused.status, readText(refused)]).toEqual([
    422,
    expect.stringContaining('Is not a page or board that exists'),
  ]);
  const binary = await visitor.send(page, 'upload', { document: toBase64(Uint8Array.of(0xff, 0xfe)) });
  expect([binary.status, readText(binary)]).toEqual([422, expect.stringContaining('Must be text in UTF-8')]);
});

test('a change that is refused says why', async () => {
  const [job] = await readJobs();
  const other = await app.registerOrgAdmin();
  const theirs = createVisitor(app);
  await theirs.send(await theirs.open('/sign-in'), 'send', { email: other.email, password });
  const { id: job_id } = job as { id: string };
  const accept = async (by: Visitor, posted: string) =>
    by.send(await by.open(path), 'address', { action: 'accept', job_id, posted });
  const refused = await accept(theirs, '{"title":"Mine"}');
  expect(refused.status).toBe(404);
  const malformed = await accept(visitor, '{"title":7}');
  expect([malformed.status, readText(malformed)]).toEqual([
    422,
    expect.stringContaining('The changes were not taken over'),
  ]);
  expect((await readJobs())[0]).toMatchObject({ title: 'Night nurse' });
});
