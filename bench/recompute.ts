import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { systemClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database/database.ts';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { openMatchIndex } from '../src/modules/matching/matches/index/match-index.ts';
import { insertCallers } from './lib/callers.ts';
import { requestUsage } from './lib/child.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { listChildren, measurePss } from './lib/footprint.ts';
import { measureTime } from './lib/measure.ts';
import { addMembers } from './lib/members.ts';
import { formatMegabytes, formatMilliseconds, formatRatio, type Benchmark } from './lib/report.ts';
import { startService, type Service } from './lib/service.ts';

/** Measures recomputing the matches of one job, from the request until they are stored, compared with only storing the same rows. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const sizes = quick ? [2_000, 20_000] : [100_000, 200_000, 1_000_000];
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  const service = await startService(cleaning, dataDir, [], { TESSERA_RATE_LIMITS: 'off' });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const client = new pg.Client(settings);
  await client.connect();
  cleaning.defer(() => client.end());
  const [caller] = await insertCallers(settings, dataDir, service.publicUrl, 1);
  await client.query(`update jobs set clearance_required = 'none', remote_policy = 'hybrid'`);
  const setup = { service, client, job_id: caller!.job_id, token: caller!.token };
  const rows: string[][] = [];
  for (const [index, size] of sizes.entries()) {
    await addMembers(client, size - (sizes[index - 1] ?? 0));
    await recomputeMatches(setup);
    const [whole, alone] = await measureLeastCosts(quick ? 2 : 8, setup);
    rows.push([
      size.toLocaleString('en'),
      formatMilliseconds(await measureBuildTime(settings, size)),
      formatMegabytes(await measurePss(service.child.pid!)),
      formatMilliseconds(whole.cpu_ms),
      formatMilliseconds(whole.wall_ms),
      formatMilliseconds(alone.cpu_ms),
      formatRatio(whole.cpu_ms / alone.cpu_ms),
    ]);
  }
  return {
    title: 'The matches of one job, from the request until they are stored',
    tables: [
      {
        head: [
          'members',
          'index built in',
          'memory of the service',
          'processor time',
          'wall clock',
          'storing the same rows alone',
          'ratio',
        ],
        rows,
      },
    ],
    notes: [
      'The memory is that of the service with its index, after the computations, without its database (Pss). Processor time includes the service and every process of its database, as the operating system counts it. At most 1,000 matches are stored. "Storing',
      'alone" is one transaction of another process, counted in the same way, that deletes the matches of the job and inserts the same rows by the same',
      'statement. Each figure is the least of several, taken alternately. Target: 3×.',
    ],
  };
};

type Setup = {
  readonly service: Service;
  readonly client: pg.Client;
  readonly job_id: string;
  readonly token: string;
};

type Cost = { readonly cpu_ms: number; readonly wall_ms: number };

async function measureLeastCosts(rounds: number, setup: Setup): Promise<readonly [Cost, Cost]> {
  const costs: [Cost, Cost][] = [];
  for (let round = 0; round < rounds; round += 1)
    costs.push([
      // This process only sends the request and polls, which is not work of the service.
      await measureCost(setup, () => recomputeMatches(setup), { includesThisProcess: false }),
      await measureCost(setup, () => storeMatches(setup), { includesThisProcess: true }),
    ]);
  const selectLeast = (which: 0 | 1) => ({
    cpu_ms: Math.min(...costs.map((cost) => cost[which].cpu_ms)),
    wall_ms: Math.min(...costs.map((cost) => cost[which].wall_ms)),
  });
  return [selectLeast(0), selectLeast(1)];
}

/** Measures the milliseconds that it takes to read all members into a new index. */
async function measureBuildTime(settings: pg.PoolConfig, size: number): Promise<number> {
  const database = openDatabase(settings, () => undefined);
  const index = openMatchIndex({ database, now: systemClock.now });
  const build_ms = await measureTime(() => index.refresh());
  if (index.countMembers() !== size)
    throw new Error(`the index holds ${index.countMembers()} members, not ${size}`);
  await index.close();
  await database.close();
  return build_ms;
}

/** Requests the computation as an administrator does, and waits until the matches are stored. */
async function recomputeMatches({ service, client, job_id, token }: Setup): Promise<void> {
  await client.query('delete from matches');
  const before = await readComputedAt(client, job_id);
  const url = `http://127.0.0.1:${service.port}/api/v1/orgs/me/jobs/${job_id}/recompute-matches`;
  const reply = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  if (reply.status !== 202) throw new Error(`the reply has status ${reply.status}: ${await reply.text()}`);
  for (let attempt = 0; attempt < 20_000; attempt += 1) {
    await pause(20);
    if ((await readComputedAt(client, job_id)) !== before) return;
  }
  throw new Error('the matches were not stored');
}

/** Reads when the stored matches were computed, in milliseconds; undefined before the first computation. */
async function readComputedAt(client: pg.Client, job_id: string): Promise<number | undefined> {
  const { rows } = await client.query<{ matches_computed_at: Date | null }>(
    'select matches_computed_at from jobs where id = $1',
    [job_id],
  );
  return rows[0]!.matches_computed_at?.getTime();
}

/** Deletes the matches of the job and inserts them again, with the statements of the computation. */
async function storeMatches({ client, job_id }: Setup): Promise<void> {
  const { rows } = await client.query<Record<string, unknown>>('select * from matches where job_id = $1', [
    job_id,
  ]);
  const readColumn = (name: string) => rows.map((row) => row[name]);
  await client.query('begin');
  await client.query('delete from matches where job_id = $1', [job_id]);
  await client.query(
    `insert into matches (id, member_id, job_id, org_id, match_quality, confidence_level, match_status, computed_at, created_at)
     select *, 'pending_review', now(), now() from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::match_quality[], $6::text[])
     on conflict (job_id, member_id) do nothing`,
    ['id', 'member_id', 'job_id', 'org_id', 'match_quality', 'confidence_level'].map(readColumn),
  );
  await client.query('commit');
}

/** Measures the cost of work for the service and its database and, with `includesThisProcess`, for this process. */
async function measureCost(
  { service }: Setup,
  work: () => Promise<void>,
  { includesThisProcess }: { readonly includesThisProcess: boolean },
): Promise<Cost> {
  const before = await measureProcessorTime(service);
  const [started, usageBefore] = [performance.now(), process.cpuUsage()];
  await work();
  const wall_ms = performance.now() - started;
  const { user, system } = process.cpuUsage(usageBefore);
  const after = await measureProcessorTime(service);
  return { cpu_ms: after - before + (includesThisProcess ? (user + system) / 1000 : 0), wall_ms };
}

/** Measures the milliseconds of the service and its descendants. Processes of the database that have ended are counted in their parent. */
async function measureProcessorTime({ child }: Service): Promise<number> {
  const { cpu_us } = await requestUsage(child);
  const ticks = await Promise.all((await listDescendants(child.pid!)).map(readTicks));
  return cpu_us / 1000 + ticks.reduce((sum, each) => sum + each, 0) * tick_ms;
}

const tick_ms = 10;

async function listDescendants(pid: number): Promise<readonly number[]> {
  const children = await listChildren(pid);
  const further = await Promise.all(children.map(listDescendants));
  return [...children, ...further.flat()];
}

/** Reads the user and system time of a process and of its children that have ended, in ticks of a hundredth of a second. */
async function readTicks(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field] ?? 0), 0);
}
