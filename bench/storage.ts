import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { createClient, type Client } from '../src/demo/client.ts';
import { insertCallers } from './lib/callers.ts';
import { cloneMembers } from './lib/clone-members.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { addMembers } from './lib/members.ts';
import type { Benchmark } from './lib/report.ts';
import { startService } from './lib/service.ts';

const password = 'Bench-Works-2026!';

/** Measures what a member with an account and a complete assessment takes in the database, and what computations of matches write. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  const { publicUrl } = await startService(cleaning, dataDir, [], { TESSERA_RATE_LIMITS: 'off' });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const client = new pg.Client(settings);
  await client.connect();
  cleaning.defer(() => client.end());
  const setup: Setup = { client, publicUrl };
  // The first members pay for the first pages of every table and index.
  const registered = quick ? 4 : 60;
  await registerMembers(setup, registered);
  const before = await measureTables(client);
  const members = quick ? 200 : 5_000;
  await cloneMembers(client, members);
  const after = await measureTables(client);
  const growth = [...after].map(
    ([name, bytes]) => [name, (bytes - (before.get(name) ?? 0)) / members] as const,
  );
  const largest = growth.filter(([, bytes]) => bytes >= 50).toSorted((one, other) => other[1] - one[1]);
  const total = growth.reduce((sum, [, bytes]) => sum + bytes, 0);
  const [caller] = await insertCallers(settings, dataDir, publicUrl, 1);
  await client.query(`update jobs set clearance_required = 'none', remote_policy = 'hybrid'`);
  await addMembers(client, quick ? 2_000 : 20_000);
  const recompute = () => measureRecomputation(setup, caller!.job_id, caller!.token);
  const [computed, unchanged] = [await recompute(), await recompute()];
  return {
    title: 'What the database stores and writes',
    tables: [
      {
        head: ['table, with its indexes', 'bytes a member'],
        rows: [...largest.map(([name, bytes]) => [name, format(bytes)]), ['all tables', format(total)]],
      },
      {
        head: ['computation of a job', 'matches', 'WAL', 'WAL a match'],
        rows: [
          [
            'the first',
            format(computed.matches),
            format(computed.bytes),
            format(computed.bytes / computed.matches),
          ],
          [
            'again, without a change',
            format(unchanged.matches),
            format(unchanged.bytes),
            format(unchanged.bytes / unchanged.matches),
          ],
        ],
      },
    ],
    notes: [
      `A member has an account, a session and a complete assessment: the growth by ${format(members)} copies, under new ids, of ${registered} members who`,
      'answered over REST. Target: 12 KB. WAL is what the whole database wrote from the request until the matches were stored, the queue included. Target',
      'without a change: 2 % of the 900 bytes a match',
      'that it was before.',
    ],
  };
};

type Setup = { readonly client: pg.Client; readonly publicUrl: string };

function format(value: number): string {
  return Math.round(value).toLocaleString('en');
}

async function registerMembers(setup: Setup, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await registerMember(setup, index);
}

async function registerMember({ publicUrl }: Setup, index: number): Promise<void> {
  const open = createClient(publicUrl);
  const registration = { email: `storage${index}@example.org`, password, name: 'Bench Member' };
  const { access_token } = (await open.post('/auth/register', registration)) as { access_token: string };
  await answerAllItems(open.withToken(access_token), index);
}

type AssessmentState = {
  readonly next_item: { readonly item_id: string; readonly options: readonly string[] } | null;
  readonly deepening: object | null;
};

async function answerAllItems(member: Client, index: number): Promise<void> {
  await member.post('/members/me/consent', {
    consent_type: 'assessment_data',
    granted: true,
    version: '1.0',
  });
  let state = (await member.post('/members/me/assessment', {})) as AssessmentState;
  for (let answer = 0; state.next_item !== null; answer += 1) {
    const { item_id, options } = state.next_item;
    const option = (7 * answer + index) % options.length;
    state = (await member.post('/members/me/assessment/answers', { item_id, option })) as AssessmentState;
    if (state.deepening)
      state = (await member.post('/members/me/assessment', { deepen: true })) as AssessmentState;
  }
}

/** Measures the tables of the service with their indexes, in bytes, after the space of deleted rows was freed. */
async function measureTables(client: pg.Client): Promise<ReadonlyMap<string, number>> {
  await client.query('vacuum full assessment_answers');
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `select relname as name, pg_total_relation_size(oid) as bytes from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

type Recomputation = { readonly matches: number; readonly bytes: number };

async function measureRecomputation(
  { client, publicUrl }: Setup,
  job_id: string,
  token: string,
): Promise<Recomputation> {
  const readPosition = async () => {
    const { rows } = await client.query<{ position: string }>(
      `select pg_current_wal_lsn() - '0/0'::pg_lsn as position`,
    );
    return Number(rows[0]!.position);
  };
  const caller = createClient(publicUrl, token);
  const before = await readPosition();
  const { task_id } = (await caller.post(`/orgs/me/jobs/${job_id}/recompute-matches`, {})) as {
    task_id: string;
  };
  for (let attempt = 0; attempt < 5_000; attempt += 1) {
    const { status } = (await caller.get(`/tasks/${task_id}`)) as { status: string };
    if (status === 'succeeded') {
      const bytes = (await readPosition()) - before;
      const { rows } = await client.query<{ count: string }>(
        'select count(*) from matches where job_id = $1',
        [job_id],
      );
      return { matches: Number(rows[0]!.count), bytes };
    }
    await pause(20);
  }
  throw new Error('the matches were not stored');
}
