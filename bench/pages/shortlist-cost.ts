import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import type { PoolConfig } from 'pg';
import { hashToken } from '#platform/security/hash-token.ts';
import { formatChildId, child_id_bytes } from '#lib/child-id.ts';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { systemClock } from '#platform/clock.ts';
import { openDatabase, sql, type Database } from '#platform/database/database.ts';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { buildOutputGuard } from '#platform/http/input/validation.ts';
import { listJobMatches } from '#modules/matching/matches';
import { insertMembers } from '#test/modules/matching.ts';
import { insertMatches } from '../../src/modules/matching/matches/store.ts';
import type { Match } from '../../src/web/organisation/shortlist/match.ts';
import { renderPeople } from '../../src/web/organisation/shortlist/people.ts';
import type { Visit } from '../../src/web/serving/page.ts';
import { english } from '../../src/web/texts/english.ts';
import { insertCallers, type CallerPair } from '../lib/callers.ts';
import { receiveDone, receiveMessage, requestUsage, startNode } from '../lib/child.ts';
import { createTemporaryDirectory } from '../lib/directory.ts';
import type { LoadOrder, LoadSetup } from '../lib/load-generator.ts';
import { measureLeast, measureTime } from '../lib/measure.ts';
import { formatMilliseconds, formatRatio, type Table } from '../lib/report.ts';
import { startService, type Service } from '../lib/service.ts';

const people = 1_000;
const page_rows = 100;
const pages = people / page_rows;
const qualities = ['exceptional', 'strong', 'moderate'] as const;

/** Measures a shortlist of 1,000 people as pages, compared with the replies of the API that have the same rows. */
export async function measureShortlist(
  cleaning: AsyncDisposableStack,
  quick: boolean,
): Promise<{ readonly table: Table; readonly notes: readonly string[] }> {
  const [slices, rounds] = quick ? [1, 30] : [3, 60];
  const subjects = await startSubjects(cleaning, slices);
  const { page, reply, table, tableReply } = await measureLeast(subjects, rounds);
  const { html, json } = await measureLeast(prepareRendering(), rounds * 5);
  const row = (what: string, ours: number, peer: number) => [
    what,
    formatMilliseconds(ours),
    formatMilliseconds(peer),
    formatRatio(ours / peer),
    '2.5×',
  ];
  return {
    table: {
      head: ['a shortlist of 1,000 people', 'HTML', 'JSON of the same rows', 'ratio', 'target'],
      rows: [
        row('ten pages of 100, each with one person beside the list, and ten replies', page, reply),
        row('ten pages of the table of 100, and ten replies with the same table', table, tableReply),
        row('1,000 rows, rendered and checked alone', html, json),
      ],
    },
    notes: [
      `The first two rows are the user and system time of all threads of the service for ten requests, the least of ${rounds} slices of ${10 * slices} requests, which alternate. A page`,
      'calls the operation of the API, which also checks and serialises its reply, and the operations for the job, the chosen person with the reasons, the requirements and the job’s',
      'emails. The last row is the list alone, in one process: HTML from 1,000 Match resources, and their reply as the API sends it.',
    ],
  };
}

type SubjectName = 'page' | 'reply' | 'table' | 'tableReply';
type Subjects = Readonly<Record<SubjectName, () => Promise<number>>>;

async function startSubjects(cleaning: AsyncDisposableStack, slices: number): Promise<Subjects> {
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  // For a profile: BENCH_NODE_FLAGS="--cpu-prof --cpu-prof-dir=…".
  const flags = process.env['BENCH_NODE_FLAGS']?.split(' ');
  const service = await startService(cleaning, dataDir, flags, { TESSERA_RATE_LIMITS: 'off' });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const [caller] = await insertCallers(settings, dataDir, service.publicUrl, 1);
  const session = await insertShortlist(settings, caller!);
  const requests = await listRequests(service, caller!, session);
  const generator = startNode(cleaning, ['bench/lib/load-generator.ts']);
  generator.send({ requests } satisfies LoadSetup);
  await receiveMessage(generator);
  const createSlice = (subject: SubjectName) => async () => {
    const before = await requestUsage(service.child);
    generator.send({ subject, port: service.port, count: pages * slices } satisfies LoadOrder);
    await receiveDone(generator);
    const after = await requestUsage(service.child);
    return (after.cpu_us - before.cpu_us) / slices / 1000;
  };
  return {
    page: createSlice('page'),
    reply: createSlice('reply'),
    table: createSlice('table'),
    tableReply: createSlice('tableReply'),
  };
}

/** Inserts 1,000 people whom a job suits, and a session of its administrator. @returns the refresh token. */
export async function insertShortlist(settings: PoolConfig, caller: CallerPair): Promise<string> {
  const database = openDatabase(settings, () => undefined);
  const random = createSeededRandom(3);
  const vectors = Array.from({ length: people }, () => ({
    mean: Array.from({ length: 20 }, () => drawStandardNormal(random)),
    variance: Array.from({ length: 20 }, () => 0.15),
  }));
  const app = { clock: systemClock, sql: database } as unknown as Parameters<typeof insertMembers>[0];
  const members = await insertMembers(app, vectors);
  const { job_id, org_id } = caller;
  const matches = members.map((member_id, index) => ({
    id: formatChildId(job_id, randomBytes(child_id_bytes)),
    member_id,
    job_id,
    org_id,
    version: 1,
    match_quality: qualities[index % qualities.length]!,
    confidence_level: 'high' as const,
    provisional: false,
    suitability: 100,
  }));
  await database.transaction((tx) => insertMatches(tx, matches, new Date()));
  await database.run(sql`analyze matches, members`);
  const session = await insertSession(database, caller);
  await database.close();
  return session;
}

async function insertSession(database: Database, { user_id }: CallerPair): Promise<string> {
  const session_id = randomUUID();
  const token = randomBytes(32).toString('base64url');
  await database.run(sql`
    insert into sessions (id, user_id, created_at, last_used_at, expires_at, address)
    values (${session_id}, ${user_id}, now(), now(), now() + interval '30 days', '127.0.0.1')`);
  await database.run(sql`
    insert into refresh_tokens (token_hash, session_id, issued_at, expires_at)
    values (${hashToken(token)}, ${session_id}, now(), now() + interval '30 days')`);
  return token;
}

/** The requests of all pages of the shortlist. Each is sent until the reasons of its first people are written, as they are for a second visitor. */
async function listRequests(
  service: Service,
  { job_id, token }: CallerPair,
  session: string,
): Promise<LoadSetup['requests']> {
  const origin = `http://127.0.0.1:${service.port}`;
  const cookie = `tessera-session=${session}`;
  const lists = { replies: [] as string[], pages: [] as string[] };
  const tables = { replies: [] as string[], pages: [] as string[] };
  for (const [{ replies, pages: shown }, list, path_end] of [
    [lists, 'matches', ''],
    [tables, 'table', '/table'],
  ] as const)
    for (let cursor: string | null | undefined; cursor !== null;) {
      const after = cursor === undefined ? '' : `cursor=${encodeURIComponent(cursor)}`;
      const target = `/api/v1/orgs/me/jobs/${job_id}/${list}?status=pending_review&include_developing=false&limit=${page_rows}&${after}`;
      const reply = await fetch(`${origin}${target}`, { headers: { authorization: `Bearer ${token}` } });
      const body = (await reply.json()) as { pagination: { next_cursor: string | null } };
      if (!reply.ok) throw new Error(JSON.stringify(body));
      cursor = body.pagination.next_cursor;
      replies.push(`GET ${target} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`);
      const page = `/app/jobs/${job_id}${path_end}?${after}`;
      await waitForReasons(service, page, cookie);
      shown.push(`GET ${page} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`);
    }
  if (lists.replies.length !== pages) throw new Error(`the shortlist has ${lists.replies.length} pages`);
  return { page: lists.pages, reply: lists.replies, table: tables.pages, tableReply: tables.replies };
}

const attempts_max = 100;

export async function waitForReasons(
  { port, publicUrl }: Service,
  page: string,
  cookie: string,
): Promise<void> {
  const { host } = new URL(publicUrl);
  for (let attempts = 0; attempts < attempts_max; attempts++) {
    const reply = await fetch(`http://localhost:${port}${page}`, { headers: { cookie, host } });
    const text = await reply.text();
    if (!reply.ok || !/id="candidate"|class="decision-bar"/.test(text)) throw new Error(text.slice(0, 1_000));
    if (!text.includes('data-refresh-seconds')) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the reasons of a person were not written');
}

/** The list of 1,000 rows as HTML, and as the checked reply of the API. */
function prepareRendering(): Readonly<Record<'html' | 'json', () => Promise<number>>> {
  const job_id = randomUUID();
  const matches: readonly Match[] = Array.from({ length: people }, (_, index) => ({
    id: randomUUID(),
    member_id: randomUUID(),
    member_name: null,
    job_id,
    org_id: job_id,
    match_quality: qualities[Math.floor((index / people) * qualities.length)]!,
    match_status: 'pending_review',
    provisional: false,
    computed_at: '2026-03-02T00:00:00.000Z',
  }));
  const selection = {
    job_id,
    status: 'pending_review',
    quality: undefined,
    cursor: undefined,
    match: undefined,
  } as const;
  const visit = { texts: english, caller: { role: 'org_viewer' } } as unknown as Visit;
  const guard = buildOutputGuard(listJobMatches.name, 200, listJobMatches.output[200]);
  const body = { data: matches, pagination: { total_count: people, next_cursor: null, has_more: false } };
  return {
    html: () =>
      measureTime(() => renderPeople(visit, { selection, chosen: matches[0]!, matches }).toString().length),
    json: () => measureTime(() => guard(body).length),
  };
}
