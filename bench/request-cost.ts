import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { receiveMessage, startNode, requestUsage } from './lib/child.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { measureLeast } from './lib/measure.ts';
import { insertPeople, type Person } from './lib/people.ts';
import { formatMicroseconds, formatRatio, type Benchmark } from './lib/report.ts';
import { startService } from './lib/service.ts';
import type { BareSetup } from './lib/bare-server.ts';
import type { LoadOrder, LoadSetup } from './lib/load-generator.ts';
import { findRunningPostgres } from '#platform/embedded-postgres/index.ts';

/** So many callers that none meets a rate limit (120 requests a minute each), and few enough that all their tokens are remembered. */
const callers = 2_000;

/** Processor time of one request: the real service, the least server that sends the same rows, and node:http alone. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const [count, rounds] = quick ? [300, 3] : [1_000, 100];
  const subjects = await startSubjects(cleaning, count);
  const { me, bareMe, job, bareJob, member, bareMember, nothing } = await measureLeast(subjects, rounds);
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
          row('`GET /members/me`', member, bareMember, '1.8×'),
        ],
      },
    ],
    notes: [
      `User and system time of all threads of the server; ${rounds} slices of ${count} requests each in turn, of which the least; 16`,
      'connections from a third process. Tessera runs as in production: rate limits, the log (into a file), measurements, validation both',
      `ways, ${callers.toLocaleString('en')} callers whose tokens it verified within the last minute, its background tasks waiting. The bare server`,
      'sends the same bytes, headers too, from the same named statements, and does nothing else.',
    ],
  };
};

type Subject = 'me' | 'bareMe' | 'job' | 'bareJob' | 'member' | 'bareMember' | 'nothing';
type Subjects = Readonly<Record<Subject, () => Promise<number>>>;

async function startSubjects(cleaning: AsyncDisposableStack, count: number): Promise<Subjects> {
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  // For a profile: BENCH_NODE_FLAGS="--cpu-prof --cpu-prof-dir=…".
  const service = await startService(cleaning, dataDir, process.env['BENCH_NODE_FLAGS']?.split(' '));
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const people = await insertPeople(settings, dataDir, service.publicUrl, callers);
  const sample = await fetchSample(service.port, people[0]!);
  const bare = await startBareServer(cleaning, { settings, queries, ...sample });
  const generator = startNode(cleaning, ['bench/lib/load-generator.ts']);
  generator.send({ requests: buildRequests(people) } satisfies LoadSetup);
  await receiveMessage(generator);
  const createSlice = (subject: keyof Subjects, { child, port }: { child: ChildProcess; port: number }) => {
    return () => measureSlice(child, generator, { subject, port, count });
  };
  return {
    me: createSlice('me', service),
    bareMe: createSlice('bareMe', bare),
    job: createSlice('job', service),
    bareJob: createSlice('bareJob', bare),
    member: createSlice('member', service),
    bareMember: createSlice('bareMember', bare),
    nothing: createSlice('nothing', bare),
  };
}

/** Microseconds of processor time a request. */
async function measureSlice(
  server: ChildProcess,
  generator: ChildProcess,
  order: LoadOrder,
): Promise<number> {
  const before = await requestUsage(server);
  generator.send(order);
  const outcome = await receiveMessage(generator);
  if (outcome !== 'done') throw new Error(String(outcome));
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
    text: `select id, external_id, org_id, title, outcome_description, status, clearance_required, remote_policy, trait_priorities,
      constraints, salary_min, salary_max, salary_currency, created_at, matches_computed_at from jobs where id = $1 and org_id = $2`,
  },
  member: {
    name: 'member',
    text: `select id, external_id, display_name, created_at, account_status, assessment_phase, email_verified, assessment_consented,
      matching_consented, current_industry, years_experience, education_level, location_country, location_state from members where id = $1`,
  },
};

async function startBareServer(
  cleaning: AsyncDisposableStack,
  setup: BareSetup,
): Promise<{ child: ChildProcess; port: number }> {
  const child = startNode(cleaning, ['bench/lib/bare-server.ts']);
  child.send(setup);
  return { child, port: (await receiveMessage(child)) as number };
}

const perAnswer = new Set(['date', 'connection', 'keep-alive', 'content-length']);

/** An answer of the service, for the bare server to send as much; and the proof that the request works. */
async function fetchSample(
  port: number,
  { token }: Person,
): Promise<Pick<BareSetup, 'headers' | 'constant'>> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/auth/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const constant = await response.text();
  if (!response.ok) throw new Error(constant);
  return {
    headers: Object.fromEntries([...response.headers].filter(([name]) => !perAnswer.has(name))),
    constant,
  };
}

function buildRequests(people: readonly Person[]): Readonly<Record<keyof Subjects, readonly string[]>> {
  const buildGet = (at: string, token?: string) =>
    `GET ${at} HTTP/1.1\r\nhost: localhost\r\n${token ? `authorization: Bearer ${token}\r\n` : ''}\r\n`;
  return {
    me: people.map(({ token }) => buildGet('/api/v1/auth/me', token)),
    bareMe: people.map(({ user_id }) => buildGet(`/me/${user_id}`)),
    job: people.map(({ job_id, token }) => buildGet(`/api/v1/orgs/me/jobs/${job_id}`, token)),
    bareJob: people.map(({ job_id, org_id }) => buildGet(`/job/${job_id}/${org_id}`)),
    member: people.map(({ member_token }) => buildGet('/api/v1/members/me', member_token)),
    bareMember: people.map(({ member_id }) => buildGet(`/member/${member_id}`)),
    nothing: [buildGet('/-')],
  };
}
