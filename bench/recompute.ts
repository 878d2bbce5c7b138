import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { requestUsage } from './lib/child.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { measureTime } from './lib/measure.ts';
import { listChildren } from './lib/footprint.ts';
import { insertPeople } from './lib/people.ts';
import { formatMilliseconds, formatRatio, type Benchmark } from './lib/report.ts';
import { startService, type Service } from './lib/service.ts';
import { openMatchIndex } from '../src/modules/matching/computing/match-index.ts';
import { systemClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database/database.ts';
import { findRunningPostgres } from '#platform/embedded-postgres/index.ts';

/** One job's matches computed anew, from the request until they are stored, against storing the same rows and doing nothing else. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const sizes = quick ? [2_000, 20_000] : [100_000, 200_000, 1_000_000];
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  const service = await startService(cleaning, dataDir, [], { TESSERA_RATE_LIMITS: 'off' });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const client = new pg.Client(settings);
  await client.connect();
  cleaning.defer(() => client.end());
  const [person] = await insertPeople(settings, dataDir, service.publicUrl, 1);
  await client.query(`update jobs set clearance_required = 'none', remote_policy = 'hybrid'`);
  const setup = { service, client, job_id: person!.job_id, token: person!.token };
  const rows: string[][] = [];
  for (const [index, size] of sizes.entries()) {
    await addMembers(client, size - (sizes[index - 1] ?? 0));
    await recomputeMatches(setup);
    const [whole, alone] = await measureLeastCosts(quick ? 2 : 8, setup);
    rows.push([
      size.toLocaleString('en'),
      formatMilliseconds(await measureBuildTime(settings, size)),
      formatMilliseconds(whole.cpu_ms),
      formatMilliseconds(whole.wall_ms),
      formatMilliseconds(alone.cpu_ms),
      formatRatio(whole.cpu_ms / alone.cpu_ms),
    ]);
  }
  return {
    title: 'One job’s matches, from the request until they are stored',
    tables: [
      {
        head: [
          'members',
          'index built in',
          'processor time',
          'wall clock',
          'storing the same rows alone',
          'ratio',
        ],
        rows,
      },
    ],
    notes: [
      'Processor time of the service and of every process of its database, by the operating system’s count; 1,000 matches at most. "Storing alone" is one',
      'transaction of another process, counted as well, that deletes the job’s matches and inserts the very same rows by the same statement. Least of',
      'several, in turn. Target: 3×.',
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
      // Asking, and looking whether it is done, is not the service's work.
      await measureCost(setup, () => recomputeMatches(setup), { countsUs: false }),
      await measureCost(setup, () => storeMatches(setup), { countsUs: true }),
    ]);
  const selectLeast = (which: 0 | 1) => ({
    cpu_ms: Math.min(...costs.map((cost) => cost[which].cpu_ms)),
    wall_ms: Math.min(...costs.map((cost) => cost[which].wall_ms)),
  });
  return [selectLeast(0), selectLeast(1)];
}

/** Milliseconds that another process takes to read everybody into an index of its own. */
async function measureBuildTime(settings: pg.PoolConfig, size: number): Promise<number> {
  const database = openDatabase(settings, () => undefined);
  const index = openMatchIndex({ database, now: systemClock.now });
  const built = await measureTime(() => index.refresh());
  if (index.countMembers() !== size)
    throw new Error(`the index holds ${index.countMembers()} members, not ${size}`);
  await index.close();
  await database.close();
  return built;
}

/** Deployed members with vectors as an assessment makes them, in one statement each. */
async function addMembers(client: pg.Client, count: number): Promise<void> {
  const { rows } = await client.query<{ count: string }>('select count(*) from members');
  const first = Number(rows[0]!.count);
  await client.query(
    `insert into members (id, external_id, display_name, assessment_phase, email_verified, assessment_consented, matching_consented,
       current_industry, years_experience, education_level, location_country, location_state, created_at)
     select gen_random_uuid(), 'MBR-' || lpad(place::text, 8, '0'), 'Somebody', 'complete', true, true, true, 'health', place % 40, 'masters',
       'AU', 'NSW', now() from generate_series($1::integer, $2::integer) as place`,
    [first + 1, first + count],
  );
  const buildArrayExpression = (each: string) =>
    `array[${Array.from({ length: 20 }, () => each).join()}]::real[]`;
  await client.query(
    `insert into trait_vectors (member_id, version, item_bank_version, vector, latent_mean, latent_variance, created_at)
     select id, 1, 'bench', '{}', ${buildArrayExpression('random_normal(0, 0.92)')}, ${buildArrayExpression('0.1 + 0.06 * random()')}, now()
     from members where not exists (select from trait_vectors where member_id = members.id)`,
  );
  await client.query('vacuum analyze members');
  await client.query('vacuum analyze trait_vectors');
}

/** Asks as an administrator does, and waits until the matches are there. */
async function recomputeMatches({ service, client, job_id, token }: Setup): Promise<void> {
  await client.query('delete from matches');
  const before = await readComputedAt(client, job_id);
  const url = `http://127.0.0.1:${service.port}/api/v1/orgs/me/jobs/${job_id}/recompute-matches`;
  const answer = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  if (answer.status !== 202) throw new Error(`recompute answered ${answer.status}: ${await answer.text()}`);
  for (let look = 0; look < 20_000; look += 1) {
    await pause(20);
    if ((await readComputedAt(client, job_id)) !== before) return;
  }
  throw new Error('the matches were not stored');
}

/** When the stored matches were computed, in milliseconds; undefined before the first time. */
async function readComputedAt(client: pg.Client, job_id: string): Promise<number | undefined> {
  const { rows } = await client.query<{ matches_computed_at: Date | null }>(
    'select matches_computed_at from jobs where id = $1',
    [job_id],
  );
  return rows[0]!.matches_computed_at?.getTime();
}

/** The rows that the computation stored, taken out and put back as it does it. */
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

/** What work costs the service and its database, and this process as well where it is the one that works. */
async function measureCost(
  { service }: Setup,
  work: () => Promise<void>,
  { countsUs }: { readonly countsUs: boolean },
): Promise<Cost> {
  const before = await measureProcessorTime(service);
  const [started, ours] = [performance.now(), process.cpuUsage()];
  await work();
  const wall_ms = performance.now() - started;
  const { user, system } = process.cpuUsage(ours);
  const after = await measureProcessorTime(service);
  return { cpu_ms: after - before + (countsUs ? (user + system) / 1000 : 0), wall_ms };
}

/** Milliseconds of the service and of all processes below it: the database's ended children are counted in their parent. */
async function measureProcessorTime({ child }: Service): Promise<number> {
  const { cpu_us } = await requestUsage(child);
  const below = await Promise.all((await listDescendants(child.pid!)).map(readTicks));
  return cpu_us / 1000 + below.reduce((sum, ticks) => sum + ticks, 0) * tick_ms;
}

const tick_ms = 10;

async function listDescendants(pid: number): Promise<readonly number[]> {
  const children = await listChildren(pid);
  const further = await Promise.all(children.map(listDescendants));
  return [...children, ...further.flat()];
}

/** User and system time of a process and of its children that have ended, in ticks of a hundredth of a second. */
async function readTicks(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field] ?? 0), 0);
}
