import type { ChildProcess } from 'node:child_process';
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { formatChildId, child_id_bytes } from '#lib/child-id.ts';
import { systemClock } from '#platform/clock.ts';
import { openDatabase, sql, type Database } from '#platform/database/database.ts';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { openList } from '../src/modules/credentials/credentials/revocation/status-lists.ts';
import type { BareReply, BareWritesSetup, WriteName } from './lib/bare-writes.ts';
import { insertCallers, type CallerPair } from './lib/callers.ts';
import { receivePort, startNode } from './lib/child.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { measureLeastCosts } from './lib/measure.ts';
import { measureLoad } from './lib/measure-load.ts';
import { formatMicroseconds, formatRatio, type Benchmark } from './lib/report.ts';
import { startService, type Service } from './lib/service.ts';

/** Enough callers that none exceeds its rate limit (120 requests a minute). */
const caller_count = 2_000;

/** Measures the processor time of requests that write, in Node and in PostgreSQL, compared with a bare transaction that writes the same rows. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const [count, rounds] = quick ? [100, 2] : [200, 40];
  const setup = await startServers(cleaning);
  const rows: string[][] = [];
  for (const name of Object.keys(writes) as WriteName[]) {
    const { ours, bare } = await measureLeastCosts(createSubjects(setup, name, count), rounds);
    rows.push([
      writes[name].title,
      formatMicroseconds(ours.node_us),
      formatMicroseconds(bare.node_us),
      formatRatio(ours.node_us / bare.node_us),
      formatMicroseconds(ours.database_us),
      formatMicroseconds(bare.database_us),
      formatRatio(ours.database_us / bare.database_us),
    ]);
  }
  return {
    title: 'Processor time of a request that writes',
    tables: [
      {
        head: [
          'request',
          'Tessera, Node',
          'bare, Node',
          'ratio (target: 2.0×)',
          'Tessera, PostgreSQL',
          'bare, PostgreSQL',
          'ratio (target: 2.5×)',
        ],
        rows,
      },
    ],
    notes: [
      `The user and system time of all threads of the server, and of all processes of PostgreSQL: the least of ${rounds} slices of ${count} requests each, which`,
      'alternate with those of the bare server, with 16 connections from a third process. Tessera runs as in production, but another process would run the',
      'background tasks (`TESSERA_ROLES=api`). The bare server is node:http and pg. It reads the same body, inserts or updates the same rows in one transaction',
      'with one named statement for each row, and sends the same bytes. It authenticates, checks, locks and reads nothing. For a credential it also makes',
      'three ES256 signatures with a bare key.',
    ],
  };
};

type Setup = {
  readonly service: Service;
  readonly bare: Pick<Service, 'child' | 'port'>;
  readonly generator: ChildProcess;
  readonly database: Database;
  readonly callers: readonly WriteCaller[];
};

type WriteCaller = CallerPair & { readonly match_id: string };

type WriteRow = {
  readonly title: string;
  readonly method: string;
  readonly buildPath: (caller: WriteCaller) => string;
  readonly by: 'org_admin' | 'member';
  /** The ids in the path of the bare server. */
  readonly ids: readonly (keyof WriteCaller)[];
  /** The body of a request. It differs from the caller's earlier ones, so that every request changes something. */
  readonly buildBody: (turn: number) => object;
};

const trait_priorities = { exploratory_curiosity: 0.8, persistence: 0.5, accountability: 1 };
const outcome_description = 'Patients who are cared for, day and night.';

const writes: Readonly<Record<WriteName, WriteRow>> = {
  createJob: {
    title: '`POST /orgs/me/jobs`',
    method: 'POST',
    buildPath: () => '/orgs/me/jobs',
    by: 'org_admin',
    ids: ['user_id', 'org_id'],
    buildBody: (turn) => ({ title: `Nurse ${turn}`, outcome_description, trait_priorities }),
  },
  updateJob: {
    title: '`PATCH /orgs/me/jobs/{job_id}`',
    method: 'PATCH',
    buildPath: ({ job_id }) => `/orgs/me/jobs/${job_id}`,
    by: 'org_admin',
    ids: ['user_id', 'org_id', 'job_id'],
    buildBody: (turn) => ({
      title: `Nurse ${turn}`,
      trait_priorities: { ...trait_priorities, persistence: (turn % 100) / 100 },
    }),
  },
  updateOrganisation: {
    title: '`PATCH /orgs/me`',
    method: 'PATCH',
    buildPath: () => '/orgs/me',
    by: 'org_admin',
    ids: ['user_id', 'org_id'],
    buildBody: (turn) => ({ name: `Bench Works ${turn}` }),
  },
  updateProfile: {
    title: '`PUT /members/me/profile`',
    method: 'PUT',
    buildPath: () => '/members/me/profile',
    by: 'member',
    ids: ['member_user_id', 'member_id'],
    buildBody: (turn) => ({
      current_industry: 'Health care',
      years_experience: turn % 80,
      education_level: 'bachelors',
      location_country: 'AU',
    }),
  },
  setPreferences: {
    title: '`PUT /members/me/matching-preferences`',
    method: 'PUT',
    buildPath: () => '/members/me/matching-preferences',
    by: 'member',
    ids: ['member_user_id', 'member_id'],
    buildBody: (turn) => ({
      clearance_held: 'baseline',
      remote_policies: ['remote', 'hybrid'],
      salary_min: turn,
      salary_currency: 'AUD',
    }),
  },
  recordConsent: {
    title: '`POST /members/me/consent`',
    method: 'POST',
    buildPath: () => '/members/me/consent',
    by: 'member',
    ids: ['member_user_id', 'member_id'],
    buildBody: () => ({ consent_type: 'credential_sharing', granted: true, version: '1.0' }),
  },
  setMatchStatus: {
    title: '`PUT /matches/{match_id}/status`',
    method: 'PUT',
    buildPath: ({ match_id }) => `/matches/${match_id}/status`,
    by: 'org_admin',
    ids: ['user_id', 'org_id', 'job_id', 'match_id', 'member_id'],
    buildBody: () => ({ status: 'org_interested' }),
  },
  issueCredential: {
    title: '`POST /credentials/issue`',
    method: 'POST',
    buildPath: () => '/credentials/issue',
    by: 'member',
    ids: ['member_user_id', 'member_id'],
    buildBody: () => ({
      credential_type: 'trait_attestation',
      claims: { trait_coverage: 0.9 },
    }),
  },
};

async function startServers(cleaning: AsyncDisposableStack): Promise<Setup> {
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  // For a profile: BENCH_NODE_FLAGS="--cpu-prof --cpu-prof-dir=…".
  const flags = process.env['BENCH_NODE_FLAGS']?.split(' ');
  const service = await startService(cleaning, dataDir, flags, { TESSERA_ROLES: 'api' });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const database = openDatabase({ ...settings, max: 1 }, () => undefined);
  cleaning.defer(() => database.close());
  const callers = await insertMatches(
    database,
    await insertCallers(settings, dataDir, service.publicUrl, caller_count),
  );
  const generator = startNode(cleaning, ['bench/lib/load-generator.ts']);
  const child = startNode(cleaning, ['bench/lib/bare-writes.ts']);
  child.send(await buildBareSetup(service, database, callers.at(-1)!));
  const bare = { child, port: await receivePort(child) };
  return { service, bare, generator, database, callers };
}

/** Makes all members deployed and gives each a match with the job of the caller. */
async function insertMatches(
  database: Database,
  callers: readonly CallerPair[],
): Promise<readonly WriteCaller[]> {
  await database.run(sql`
    update members set assessment_phase = 'complete', email_verified = true, assessment_consented = true, matching_consented = true`);
  const withMatches = callers.map((caller) => ({
    ...caller,
    match_id: formatChildId(caller.job_id, randomBytes(child_id_bytes)),
  }));
  const readColumn = (name: keyof WriteCaller) => withMatches.map((caller) => caller[name]);
  await database.run(sql`
    insert into matches (id, member_id, job_id, org_id, match_quality, confidence_level, match_status, computed_at, created_at)
    select id, member_id, job_id, org_id, 'strong', 'high', 'pending_review', now(), now()
    from unnest(${readColumn('match_id')}::uuid[], ${readColumn('member_id')}::uuid[], ${readColumn('job_id')}::uuid[],
      ${readColumn('org_id')}::uuid[]) as given (id, member_id, job_id, org_id)`);
  await database.run(sql`
    insert into member_matches (member_id, created_at, match_id, job_id, match_quality, confidence_level, match_status, computed_at)
    select member_id, created_at, id, job_id, match_quality, confidence_level, match_status, computed_at from matches`);
  await database.run(sql`analyze members, matches, member_matches`);
  return withMatches;
}

/** Sends one request of each kind, which checks that it works, and passes the replies on to the bare server. */
async function buildBareSetup(
  service: Service,
  database: Database,
  caller: WriteCaller,
): Promise<BareWritesSetup> {
  const replies: Record<string, BareReply> = {};
  for (const [name, write] of Object.entries(writes))
    replies[name] = await fetchSample(service, write, caller);
  const { formats } = JSON.parse(replies['issueCredential']!.body) as { formats: Record<string, string> };
  const id = randomUUID();
  const { kid } = await database.one(sql<{ kid: string }>`select kid from signing_keys limit 1`);
  await database.transaction((tx) => openList(tx, { id, kid, created_at: systemClock.now() }));
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    settings: { ...database.settings, max: 10 },
    replies: replies as Record<WriteName, BareReply>,
    credential: {
      status_list_id: id,
      forms: Object.values(formats),
      private_key_pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
  };
}

/** The headers that the bare server sets itself for each reply. */
const automaticHeaders = new Set(['date', 'connection', 'keep-alive', 'content-length']);

async function fetchSample({ port }: Service, write: WriteRow, caller: WriteCaller): Promise<BareReply> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${write.buildPath(caller)}`, {
    method: write.method,
    headers: { authorization: `Bearer ${selectToken(write, caller)}`, 'content-type': 'application/json' },
    body: JSON.stringify(write.buildBody(0)),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`${write.title}: ${body}`);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !automaticHeaders.has(name)));
  return { status: response.status, headers, body };
}

function selectToken({ by }: WriteRow, { token, member_token }: WriteCaller): string {
  return by === 'member' ? member_token : token;
}

function createSubjects(setup: Setup, name: WriteName, count: number) {
  const { service, bare, callers, database } = setup;
  const write = writes[name];
  let turn = 0;
  const createSubject =
    (server: Pick<Service, 'child' | 'port'>, buildTarget: (caller: WriteCaller) => string) => async () => {
      if (name === 'setMatchStatus')
        await database.run(
          sql`with reset as (update member_matches set match_status = 'pending_review' where match_status <> 'pending_review')
            update matches set match_status = 'pending_review' where match_status <> 'pending_review'`,
        );
      const requests = Array.from({ length: count }, () => {
        turn++;
        // Consecutive turns have different callers, and the same caller comes back with another body.
        const caller = callers[turn % callers.length]!;
        const body = write.buildBody(turn + Math.floor(turn / callers.length));
        return buildRequest(write, buildTarget(caller), selectToken(write, caller), body);
      });
      return measureLoad(setup, server, requests);
    };
  return {
    ours: createSubject(service, (caller) => `/api/v1${write.buildPath(caller)}`),
    bare: createSubject(bare, (caller) => ['', name, ...write.ids.map((id) => caller[id])].join('/')),
  };
}

function buildRequest({ method }: WriteRow, target: string, token: string, body: object): string {
  const text = JSON.stringify(body);
  return `${method} ${target} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
}
