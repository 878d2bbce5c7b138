import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readDueBoards } from '#modules/matching/jobs';
import { cleanUpAfterFile } from '../clean-up.ts';
import { createColleague } from '../colleague.ts';
import type { TestApp } from '../harness.ts';
import { logInAgain } from '../users.ts';
import { nurse } from './jobs.ts';
import { runTask } from './matching.ts';

/** The text of a job, as the samples below publish it. */
export const published_text = 'You keep calm in emergencies, and work in a team.';

/** What Greenhouse replies to `GET /v1/boards/{token}/jobs?content=true`: the HTML is escaped. */
export const buildGreenhouseBoard = (title = 'Ward nurse') => ({
  jobs: [
    {
      absolute_url: 'https://job-boards.greenhouse.io/acme/jobs/4711',
      data_compliance: [{ type: 'gdpr', requires_consent: false }],
      internal_job_id: 44_444,
      location: { name: 'Sydney' },
      metadata: null,
      id: 4_711,
      updated_at: '2026-03-01T09:00:00-05:00',
      requisition_id: '50',
      title,
      content: `&lt;p&gt;${published_text}&lt;/p&gt;`,
      departments: [{ id: 1, name: 'Care', child_ids: [], parent_id: null }],
      offices: [],
    },
  ],
  meta: { total: 1 },
});

/** What Lever replies to `GET /v0/postings/{site}?mode=json`. */
export const buildLeverBoard = () => [
  {
    id: '5ac21346-8e0c-4494-8e7a-3eb92ff77902',
    text: 'Ward nurse',
    categories: { commitment: 'Full-time', department: 'Care', location: 'Sydney', team: 'Wards' },
    country: 'AU',
    workplaceType: 'hybrid',
    description: `<div>${published_text}</div>`,
    descriptionPlain: published_text,
    lists: [{ text: 'What you do', content: '<li>Rounds</li><li>Records</li>' }],
    additional: '<div>We answer in a week.</div>',
    salaryRange: { min: 78_000, max: 96_000, currency: 'AUD', interval: 'per-year-salary' },
    createdAt: 1_772_355_600_000,
    hostedUrl: 'https://jobs.lever.co/acme/5ac21346-8e0c-4494-8e7a-3eb92ff77902',
    applyUrl: 'https://jobs.lever.co/acme/5ac21346-8e0c-4494-8e7a-3eb92ff77902/apply',
  },
];

/** What Ashby replies to `GET /posting-api/job-board/{name}?includeCompensation=true`. The second job is not on the board. */
export const buildAshbyBoard = () => {
  const job = {
    id: '145ff46b-1441-4773-bcd3-c8c90baa598a',
    title: 'Ward nurse',
    location: 'Sydney',
    secondaryLocations: [],
    department: 'Care',
    team: 'Wards',
    isListed: true,
    isRemote: true,
    workplaceType: 'Remote',
    descriptionHtml: `<p>${published_text}</p>`,
    descriptionPlain: published_text,
    publishedAt: '2026-03-01T09:00:00.000+00:00',
    employmentType: 'FullTime',
    jobUrl: 'https://jobs.ashbyhq.com/acme/145ff46b-1441-4773-bcd3-c8c90baa598a',
    applyUrl: 'https://jobs.ashbyhq.com/acme/145ff46b-1441-4773-bcd3-c8c90baa598a/application',
    compensation: {
      compensationTierSummary: 'A$78K – A$96K',
      summaryComponents: [
        { compensationType: 'EquityPercentage', interval: 'NONE', currencyCode: null },
        {
          compensationType: 'Salary',
          interval: '1 YEAR',
          currencyCode: 'AUD',
          minValue: 78_000,
          maxValue: 96_000,
        },
      ],
    },
  };
  return { apiVersion: '1', jobs: [job, { ...job, id: 'unlisted', isListed: false }] };
};

/** A page about one job, with its JobPosting. */
export const buildJobPage = (posting: object = {}) => {
  const job = { '@type': 'JobPosting', title: 'Ward nurse', description: published_text, ...posting };
  return `<html><head><script type="application/ld+json">${JSON.stringify(job)}</script></head></html>`;
};

/** What the server of {@link startBoardServer} replies, by path. */
export type BoardReplies = Map<string, Reply>;

type Reply = { readonly status?: number; readonly location?: string; readonly body?: string | Buffer };

/** Starts a server of another organisation. What a path replies can be changed; other paths reply 404. @returns its address. */
export async function startBoardServer(replies: BoardReplies): Promise<string> {
  const server = createServer((request, response) => {
    const { status = 200, location, body = '' } = replies.get(request.url ?? '') ?? { status: 404 };
    response.writeHead(status, location === undefined ? {} : { location }).end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  cleanUpAfterFile(async () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers requests to boards with this body, without leaving the test. */
export async function serveBoards<Result>(
  { platform }: Pick<TestApp, 'platform'>,
  body: string,
  work: (limits: readonly number[]) => Promise<Result>,
): Promise<Result> {
  const { fetchOutbound } = platform;
  const limits: number[] = [];
  const reply = async (_url: string, { max_bytes }: { max_bytes: number }) => {
    limits.push(max_bytes);
    return { status: 200, headers: {}, body: Buffer.from(body) };
  };
  Object.assign(platform, { fetchOutbound: reply });
  try {
    return await work(limits);
  } finally {
    Object.assign(platform, { fetchOutbound });
  }
}

/** Follows a board with one job, which is a change, without a request that leaves the test. @returns the ids of the board and of the change. */
export function followBoard(app: TestApp, token: string, name = 'acme') {
  return serveBoards(app, JSON.stringify(buildLeverBoard()), async () => {
    const url = `https://jobs.lever.co/${name}`;
    const { body: board } = await app.request('POST', '/orgs/me/boards', { token, body: { url } });
    const { body: changes } = await app.request('GET', '/orgs/me/board-changes', { token });
    return { board_id: board.id as string, change_id: changes.data[0].id as string };
  });
}

/** The titles of the jobs of a board, by id. */
type Titles = Readonly<Record<number, string>>;

type Change = { readonly id: string; readonly change: string; readonly draft: { readonly title: string } };

/** Creates an administrator who follows a board of their own at `server`, which `serve` changes. */
export async function createFollower(
  app: TestApp,
  { server, replies }: { readonly server: string; readonly replies: BoardReplies },
  titles: Titles,
  more: object = {},
) {
  const admin = await app.registerOrgAdmin();
  const path = `/${admin.org_id}`;
  const serve = (jobs: Titles) => void replies.set(path, { body: writeBoard(jobs) });
  serve(titles);
  const send = createLastingClient(app, admin);
  const followed = await send('POST', 'boards', { url: server + path, ...more });
  if (followed.status !== 201) throw new Error(JSON.stringify(followed.body));
  const listChanges = async () => (await send('GET', 'board-changes')).body.data as readonly Change[];
  return {
    admin,
    path,
    serve,
    send,
    id: followed.body.id as string,
    createJob: async (external_ref: string, title: string) =>
      (await send('POST', 'jobs', { ...nurse, title, external_ref })).body.id as string,
    findChange: async (title: string) => (await listChanges()).find(({ draft }) => draft.title === title)!,
    listChanges: async () => (await listChanges()).map(({ change, draft }) => [change, draft.title]),
    readBoard: async () => (await send('GET', 'boards')).body.data[0],
    readStatus: async (job_id: string) => (await send('GET', `jobs/${job_id}`)).body.status as string,
  };
}

function writeBoard(titles: Titles): string {
  const [job] = buildGreenhouseBoard().jobs;
  const jobs = Object.entries(titles).map(([id, title]) => ({ ...job, id: Number(id), title }));
  return JSON.stringify({ jobs });
}

/** Creates a client below `/orgs/me/` that logs in again when days have outlived its token. */
function createLastingClient(app: TestApp, admin: Parameters<typeof logInAgain>[1] & { token: string }) {
  let { token } = admin;
  return async (method: string, path: string, body?: object) => {
    const request = () => app.request(method, `/orgs/me/${path}`, { token, ...(body && { body }) });
    const reply = await request();
    if (reply.status !== 401) return reply;
    token = await logInAgain(app, admin);
    return request();
  };
}

/** Goes on to the next day, and reads the boards that are due then. */
export async function passDay(app: TestApp): Promise<void> {
  app.clock.advance(25 * 3_600_000 + 1);
  await runTask(app, readDueBoards, {});
  await app.drainQueue();
}

/** Sends a request below `/orgs/me/` without a login, and as a viewer of the organisation. @returns both statuses. */
export async function sendWithoutRights(
  app: TestApp,
  org_id: string,
  [method, path, body]: readonly [method: string, path: string, body?: object],
): Promise<readonly number[]> {
  const { token } = await createColleague(app, org_id);
  const send = (more: object) => app.request(method, `/orgs/me/${path}`, { ...more, ...(body && { body }) });
  return [await send({}), await send({ token })].map(({ status }) => status);
}
