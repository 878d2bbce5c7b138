import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import pg from 'pg';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import type { BareSetup } from './lib/bare-server.ts';
import { insertCallers, type CallerPair } from './lib/callers.ts';
import { receiveDone, receiveMessage, receivePort, requestUsage, startNode } from './lib/child.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import type { LoadOrder, LoadSetup } from './lib/load-generator.ts';
import { measureLeast } from './lib/measure.ts';
import { formatMicroseconds, formatRatio, type Benchmark } from './lib/report.ts';
import { startService } from './lib/service.ts';

/** Enough callers that none exceeds its rate limit (120 requests a minute), and few enough that the cache has all their tokens. */
const caller_count = 2_000;

/** The jobs of an organisation whose list is read. */
const jobs_each = 10;

/** Measures the processor time of one request, compared with the simplest server that sends the same rows and with node:http alone. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const [count, rounds] = quick ? [300, 3] : [1_000, 100];
  const subjects = await startSubjects(cleaning, count);
  const { me, bareMe, job, jobByKey, jobByManyKeys, bareJob, jobs, bareJobs, member, bareMember, nothing } =
    await measureLeast(subjects, rounds);
  const row = (what: string, ours: number, bare: number, target: string) => {
    return [
      what,
      formatMicroseconds(ours),
      formatMicroseconds(bare),
      formatRatio(ours / bare),
      target,
      formatMicroseconds(nothing),
    ];
  };
  return {
    title: 'Processor time of one request',
    tables: [
      {
        head: ['request', 'Tessera', 'bare node:http + pg', 'ratio', 'target', 'node:http alone'],
        rows: [
          row('`GET /auth/me`', me, bareMe, '1.6×'),
          row('`GET /orgs/me/jobs/{job_id}`', job, bareJob, '1.6×'),
          row(`\`GET /orgs/me/jobs\`, a list of ${jobs_each}`, jobs, bareJobs, '2.0×'),
          row('`GET /members/me`', member, bareMember, '1.8×'),
        ],
      },
      {
        head: ['`GET /orgs/me/jobs/{job_id}` by', 'Tessera', 'ratio', 'target'],
        rows: [
          ['an access token', formatMicroseconds(job), '', ''],
          ['a service key of 2,000', formatMicroseconds(jobByKey), formatRatio(jobByKey / job), '1.1×'],
          [
            'a service key of 10,000',
            formatMicroseconds(jobByManyKeys),
            formatRatio(jobByManyKeys / job),
            '1.1×',
          ],
        ],
      },
    ],
    notes: [
      `The time is the user and system time of all threads of the server: the least of ${rounds} slices of ${count} requests each, which alternate between`,
      'the subjects, with 16 connections from a third process. Tessera runs as in production: rate limits, the log (into a file), metrics, validation of',
      `requests and replies, the requests of service keys recorded, ${caller_count.toLocaleString('en')} callers whose tokens it verified within the last minute, and its background tasks waiting. The bare`,
      'server sends the same bytes, headers included, from the same named statements, and does nothing else.',
    ],
  };
};

type Subject =
  | 'me'
  | 'bareMe'
  | 'job'
  | 'jobByKey'
  | 'jobByManyKeys'
  | 'bareJob'
  | 'jobs'
  | 'bareJobs'
  | 'member'
  | 'bareMember'
  | 'nothing';
type Subjects = Readonly<Record<Subject, () => Promise<number>>>;

async function startSubjects(cleaning: AsyncDisposableStack, count: number): Promise<Subjects> {
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  // For a profile: BENCH_NODE_FLAGS="--cpu-prof --cpu-prof-dir=…".
  const service = await startService(cleaning, dataDir, process.env['BENCH_NODE_FLAGS']?.split(' '));
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const callers = await insertCallers(settings, dataDir, service.publicUrl, caller_count);
  await insertJobs(settings);
  const sample = await fetchSample(service.port, callers[0]!);
  const bare = await startBareServer(cleaning, { settings, queries, ...sample });
  const generator = startNode(cleaning, ['bench/lib/load-generator.ts']);
  generator.send({ requests: buildRequests(callers) } satisfies LoadSetup);
  await receiveMessage(generator);
  const createSlice = (subject: keyof Subjects, { child, port }: { child: ChildProcess; port: number }) => {
    return () => measureSlice(child, generator, { subject, port, count });
  };
  return {
    me: createSlice('me', service),
    bareMe: createSlice('bareMe', bare),
    job: createSlice('job', service),
    jobByKey: createSlice('jobByKey', service),
    jobByManyKeys: createSlice('jobByManyKeys', service),
    bareJob: createSlice('bareJob', bare),
    jobs: createSlice('jobs', service),
    bareJobs: createSlice('bareJobs', bare),
    member: createSlice('member', service),
    bareMember: createSlice('bareMember', bare),
    nothing: createSlice('nothing', bare),
  };
}

/** Gives every organisation further jobs, copies of its first. */
async function insertJobs(settings: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(settings);
  await client.connect();
  await client.query(`create temporary table copied as
    select jobs.*, overlay(id::text placing lpad(to_hex(number), 4, '0') from 1 for 4)::uuid as copy_id from jobs, generate_series(2, ${jobs_each}) as number`);
  await client.query('update copied set id = copy_id');
  await client.query('alter table copied drop column copy_id');
  await client.query('insert into jobs select * from copied on conflict do nothing');
  await client.query(
    'insert into job_titles (job_id, org_id, title) select id, org_id, title from jobs on conflict do nothing',
  );
  await client.query('analyze jobs, job_titles');
  await client.end();
}

/** Measures the microseconds of processor time of a request. */
async function measureSlice(
  server: ChildProcess,
  generator: ChildProcess,
  order: LoadOrder,
): Promise<number> {
  const before = await requestUsage(server);
  generator.send(order);
  await receiveDone(generator);
  const after = await requestUsage(server);
  return (after.cpu_us - before.cpu_us) / order.count;
}

/** The service's own statements, by the first part of the bare server's path. */
const queries = {
  me: {
    name: 'me',
    text: 'select id, email, role, coalesce(member_id, org_id) as linked_entity_id, created_at, last_login from users where id = $1',
  },
  job: {
    name: 'job',
    text: `select id, org_id, title, outcome_description, status, clearance_required, remote_policy, trait_priorities,
      constraints, salary_min, salary_max, salary_currency, created_at, matches_computed_at from jobs where id = $1 and org_id = $2`,
  },
  jobs: {
    name: 'jobs',
    text: `select coalesce(json_agg(page), '[]') as data, json_build_object('limit', 20, 'offset', 0, 'total', count(*)) as pagination from (
      select id, org_id, title, outcome_description, status, clearance_required, remote_policy, trait_priorities,
        constraints, salary_min, salary_max, salary_currency, created_at, matches_computed_at from jobs where org_id = $1
      order by created_at desc, id limit 21) as page`,
  },
  member: {
    name: 'member',
    text: `select id, display_name, created_at, account_status, assessment_phase, email_verified, assessment_consented,
      matching_consented, current_industry, years_experience, education_level, location_country, location_state from members where id = $1`,
  },
};

async function startBareServer(
  cleaning: AsyncDisposableStack,
  setup: BareSetup,
): Promise<{ child: ChildProcess; port: number }> {
  const child = startNode(cleaning, ['bench/lib/bare-server.ts']);
  child.send(setup);
  return { child, port: await receivePort(child) };
}

/** The headers that the bare server sets itself for each reply. */
const automaticHeaders = new Set(['date', 'connection', 'keep-alive', 'content-length']);

/** Fetches a reply of the service, so that the bare server can send as many bytes, and checks that the request works. */
async function fetchSample(
  port: number,
  { token }: CallerPair,
): Promise<Pick<BareSetup, 'headers' | 'constant'>> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/auth/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const constant = await response.text();
  if (!response.ok) throw new Error(constant);
  return {
    headers: Object.fromEntries([...response.headers].filter(([name]) => !automaticHeaders.has(name))),
    constant,
  };
}

function buildRequests(callers: readonly CallerPair[]): Readonly<Record<keyof Subjects, readonly string[]>> {
  const buildGet = (target: string, token?: string) =>
    `GET ${target} HTTP/1.1\r\nhost: localhost\r\n${token ? `authorization: Bearer ${token}\r\n` : ''}\r\n`;
  return {
    me: callers.map(({ token }) => buildGet('/api/v1/auth/me', token)),
    bareMe: callers.map(({ user_id }) => buildGet(`/me/${user_id}`)),
    job: callers.map(({ job_id, token }) => buildGet(`/api/v1/orgs/me/jobs/${job_id}`, token)),
    jobByKey: callers.map(({ job_id, service_keys }) =>
      buildGet(`/api/v1/orgs/me/jobs/${job_id}`, service_keys[0]),
    ),
    // One key of each organisation after the other, so that all have been used before one is used again.
    jobByManyKeys: callers[0]!.service_keys.flatMap((_, place) =>
      callers.map(({ job_id, service_keys }) =>
        buildGet(`/api/v1/orgs/me/jobs/${job_id}`, service_keys[place]),
      ),
    ),
    bareJob: callers.map(({ job_id, org_id }) => buildGet(`/job/${job_id}/${org_id}`)),
    jobs: callers.map(({ token }) => buildGet('/api/v1/orgs/me/jobs', token)),
    bareJobs: callers.map(({ org_id }) => buildGet(`/jobs/${org_id}`)),
    member: callers.map(({ member_token }) => buildGet('/api/v1/members/me', member_token)),
    bareMember: callers.map(({ member_id }) => buildGet(`/member/${member_id}`)),
    nothing: [buildGet('/-')],
  };
}
