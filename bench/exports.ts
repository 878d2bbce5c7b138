import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { insertCallers, type CallerPair } from './lib/callers.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { addMembers } from './lib/members.ts';
import { listDescendants } from './lib/processor-time.ts';
import { formatRatio, type Benchmark } from './lib/report.ts';
import { startService } from './lib/service.ts';

/** Measures exports of an organisation's matches over HTTP, beside COPY of the same rows in the same run. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  const service = await startService(cleaning, dataDir, [], { TESSERA_RATE_LIMITS: 'off' });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const client = new pg.Client(settings);
  await client.connect();
  cleaning.defer(() => client.end());
  const [caller] = await insertCallers(settings, dataDir, service.publicUrl, 1);
  const rows = quick ? 5_000 : 100_000;
  await addMatches(client, caller!, rows);
  const subject: Subject = { client, caller: caller!, url: service.publicUrl, pid: service.child.pid!, rows };
  // The first export loads code and fills the pool of connections.
  await exportMatches(subject, 'csv');
  await exportMatches(subject, 'xlsx');
  const rounds = quick ? 1 : 7;
  const least: Record<Name, Cost> = { copy: worst, csv: worst, xlsx: worst };
  for (let round = 0; round < rounds; round++)
    for (const [name, run] of Object.entries(subjects) as [Name, (typeof subjects)[Name]][]) {
      const cost = await measureCost(subject, () => run(subject));
      least[name] = takeBetter(least[name], cost);
    }
  const { copy } = least;
  return {
    title: `Export of ${rows.toLocaleString('en')} matches`,
    tables: [
      {
        head: ['', 'bytes', 'processor ms', 'of COPY', 'wall ms', 'growth of memory, MiB'],
        rows: (Object.entries(least) as [Name, Cost][]).map(([name, cost]) => [
          name === 'copy' ? 'COPY … TO STDOUT (CSV)' : `export as ${name}`,
          cost.bytes.toLocaleString('en'),
          Math.round(cost.processor_ms).toString(),
          formatRatio(cost.processor_ms / copy.processor_ms),
          Math.round(cost.wall_ms).toString(),
          name === 'copy' ? '' : (cost.growth_bytes / 2 ** 20).toFixed(1),
        ]),
      },
    ],
    notes: [
      `Least of ${rounds} rounds, over HTTP. Processor time is that of the service and of PostgreSQL, without the reader. COPY has the same columns in the same`,
      'order. The growth is that of the resident memory of the service from before the export to its highest value during it, the largest of all rounds.',
      'Targets: CSV at most 3 times COPY, growth below 64 MiB.',
    ],
  };
};

type Name = 'copy' | 'csv' | 'xlsx';

type Subject = {
  readonly client: pg.Client;
  readonly caller: CallerPair;
  readonly url: string;
  readonly pid: number;
  readonly rows: number;
};

type Cost = {
  readonly bytes: number;
  readonly processor_ms: number;
  readonly wall_ms: number;
  readonly growth_bytes: number;
};

const worst: Cost = { bytes: 0, processor_ms: Infinity, wall_ms: Infinity, growth_bytes: 0 };

/** The least time, and the largest growth. */
function takeBetter(one: Cost, other: Cost): Cost {
  return {
    bytes: other.bytes,
    processor_ms: Math.min(one.processor_ms, other.processor_ms),
    wall_ms: Math.min(one.wall_ms, other.wall_ms),
    growth_bytes: Math.max(one.growth_bytes, other.growth_bytes),
  };
}

const subjects: Readonly<Record<Name, (subject: Subject) => Promise<number>>> = {
  copy: copyMatches,
  csv: (subject) => exportMatches(subject, 'csv'),
  xlsx: (subject) => exportMatches(subject, 'xlsx'),
};

const matches_per_job = 1_000;

/** Adds jobs of the caller's organisation with matches in all tiers, so that the lists have `count` of them. */
async function addMatches(client: pg.Client, { org_id, job_id }: CallerPair, count: number): Promise<void> {
  await addMembers(client, matches_per_job);
  await client.query(
    `insert into jobs select (jsonb_populate_record(job, jsonb_build_object('id', gen_random_uuid(), 'title', 'Archivist ' || place))).*
     from jobs as job, generate_series(1, $2::integer) as place where id = $1`,
    [job_id, count / matches_per_job],
  );
  await client.query(
    `insert into matches (id, member_id, job_id, org_id, match_quality, confidence_level, version, provisional, match_status, computed_at, created_at)
     select gen_random_uuid(), member.id, job.id, $1, (array['exceptional', 'strong', 'moderate'])[1 + place % 3]::match_quality, 'high', job.version, false,
       'pending_review', now(), now()
     from (select id, version from jobs where org_id = $1 and id <> $2) as job,
       (select id, row_number() over () as place from members where display_name = 'Somebody' limit $3) as member`,
    [org_id, job_id, matches_per_job],
  );
  await client.query('vacuum analyze matches');
}

async function copyMatches({ client, caller }: Subject): Promise<number> {
  let bytes = 0;
  const sink = new Writable({
    write: (chunk: Buffer, _, done) => {
      bytes += chunk.length;
      done();
    },
  });
  const source = client.query(
    copyTo(
      `copy (select jobs.id, title, matches.id, member_id, match_quality, match_status, provisional, matches_computed_at::date
       from matches join jobs on jobs.id = job_id where matches.org_id = '${caller.org_id}'
       order by job_id, match_quality, matches.id) to stdout with (format csv, header)`,
    ),
  );
  await pipeline(source, sink);
  return bytes;
}

async function exportMatches({ url, caller, rows }: Subject, format: 'csv' | 'xlsx'): Promise<number> {
  const response = await fetch(`${url}/api/v1/exports/org/${caller.org_id}/matches?format=${format}`, {
    headers: { authorization: `Bearer ${caller.token}` },
  });
  if (!response.ok || !response.body) throw new Error(`the export returned ${response.status}`);
  let [bytes, lines] = [0, 0];
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (format === 'csv') for (const byte of chunk) if (byte === 10) lines++;
  }
  if (format === 'csv' && lines !== rows + 1) throw new Error(`the export has ${lines} lines`);
  return bytes;
}

const sample_ms = 10;

/** Measures one run. */
async function measureCost({ pid }: Subject, run: () => Promise<number>): Promise<Cost> {
  const pids = [pid, ...(await listDescendants(pid))];
  const before = await readTimes(pids);
  const memory = await readResidentBytes(pid);
  let highest = memory;
  const sampling = setInterval(() => {
    void readResidentBytes(pid).then((bytes) => (highest = Math.max(highest, bytes)));
  }, sample_ms);
  const started = performance.now();
  const bytes = await run();
  const wall_ms = performance.now() - started;
  clearInterval(sampling);
  const after = await readTimes(pids);
  return { bytes, processor_ms: after - before, wall_ms, growth_bytes: highest - memory };
}

/** How long a tick of the processor times in `/proc` is (USER_HZ). */
const tick_ms = 10;

/** Adds up the processor time of processes with all their threads. The processes must not end meanwhile. */
async function readTimes(pids: readonly number[]): Promise<number> {
  const times = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      // User and system time are the 14th and 15th fields; the second, the name, may contain spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return stat === '' ? 0 : (Number(fields[11]) + Number(fields[12])) * tick_ms;
    }),
  );
  return times.reduce((sum, time) => sum + time, 0);
}

async function readResidentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) * 1024;
}
