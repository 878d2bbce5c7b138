import path from 'node:path';
import pg from 'pg';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { readConfig } from '#platform/config.ts';
import { startService } from '../../src/app/service.ts';
import { createClient } from '../../src/demo/client.ts';
import { computeAllMatches } from '../../src/modules/matching/matches/computing/compute-all-matches.ts';
import { computeJobMatches } from '../../src/modules/matching/matches/computing/compute-job-matches.ts';
import { computeMemberMatches } from '../../src/modules/matching/matches/computing/compute-member-matches.ts';
import { insertCallers } from '../lib/callers.ts';
import { createTemporaryDirectory } from '../lib/directory.ts';
import { addMembers } from '../lib/members.ts';
import { findFreePort } from '../lib/ports.ts';
import { addDifferences, listDescendants, readProcessorTimes } from '../lib/processor-time.ts';
import { openTurnMeter } from '../lib/turn-meter.ts';

/*
 * Runs in the tree that is measured, also an older one: `match-cost.ts` copies it there. Service and tasks are in this process. Prints one line of JSON.
 */

/** What some work has cost, for each of its `count` parts. */
export type Cost = {
  readonly what: string;
  readonly node_ms: number;
  readonly database_ms: number;
  readonly statements: number;
  readonly wal_bytes: number;
};

/** The costs, and the longest turn of the computation of many jobs. */
export type Measured = { readonly costs: readonly Cost[]; readonly turn_ms: number };

const answers = 40;
const [members = 100_000, organisations = 64] = process.argv.slice(2).map(Number);
await using cleaning = new AsyncDisposableStack();
process.stdout.write(`${JSON.stringify(await measureCosts())}\n`);

async function measureCosts(): Promise<Measured> {
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  const service = await startService(
    readConfig({
      TESSERA_DATA_DIR: dataDir,
      TESSERA_PORT: String(await findFreePort()),
      TESSERA_INTERNAL_PORT: String(await findFreePort()),
      TESSERA_RATE_LIMITS: 'off',
      TESSERA_ROLES: 'api',
    }),
    { quiet: true },
  );
  cleaning.defer(() => service.stop());
  const { platform } = service.app;
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const client = new pg.Client(settings);
  await client.connect();
  cleaning.defer(() => client.end());
  const callers = await insertCallers(settings, dataDir, service.url, organisations);
  // Different priorities, so that a member fits some of the jobs.
  await client.query(`
    update jobs set clearance_required = 'none', remote_policy = 'hybrid', version = version + 1,
      trait_priorities = jsonb_build_object('persistence', 0.1 + 0.9 * random(), 'sincerity', 0.1 + 0.9 * random(),
        'analytical_depth', 0.1 + 0.9 * random())`);
  await addMembers(client, members);
  const context = {
    ...platform,
    now: () => new Date(),
    signal: new AbortController().signal,
    reportProgress: async () => undefined,
  };
  const measure = createMeter(client);
  const computeJob = async ({ job_id, org_id }: (typeof callers)[number]) =>
    void (await computeJobMatches.run(context, { job_id, org_id }));
  const addAndList = async (count: number) => {
    const known = new Set(await listMembers(client));
    await addMembers(client, count);
    return (await listMembers(client)).filter((id) => !known.has(id)).map((id) => ({ member_id: id }));
  };
  // The first computations build the index and warm up.
  for (const caller of callers.slice(0, 12)) await computeJob(caller);
  const [fresh, repeated] = [callers.slice(12, 20), callers.slice(0, 12)];
  const costs = [
    await measure('a new job', fresh.length, async () => {
      for (const caller of fresh) await computeJob(caller);
    }),
    await measure('a recomputation without a change', repeated.length, async () => {
      for (const caller of repeated) await computeJob(caller);
    }),
  ];
  await computeAllMatches.run(context, {});
  using meter = openTurnMeter();
  const { turn } = await meter.measure(async () => void (await computeAllMatches.run(context, {})));
  for (const data of await addAndList(20)) await computeMemberMatches.run(context, data);
  const single = await addAndList(20);
  costs.push(
    await measure('a new member', single.length, async () => {
      for (const data of single) await computeMemberMatches.run(context, data);
    }),
  );
  const together = await addAndList(100);
  // An older version computes one after the other, and ignores the others of the batch.
  const isBatched = (computeMemberMatches.batch_max ?? 1) > 1;
  costs.push(
    await measure('a member of 100 who arrive together', together.length, async () => {
      if (isBatched) await computeMemberMatches.run(context, together[0]!, together);
      else for (const data of together) await computeMemberMatches.run(context, data);
    }),
  );
  costs.push(await measureAnswers(measure, service.url, callers[0]!.member_token));
  return { costs, turn_ms: turn.busy_ms };
}

async function listMembers(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>('select id from members');
  return rows.map(({ id }) => id);
}

type Meter = (what: string, count: number, work: () => Promise<void>) => Promise<Cost>;

/** Creates a meter of this process, its database server, the statements that it sends, and what the server writes. */
function createMeter(client: pg.Client): Meter {
  let statements = 0;
  const submit = Reflect.get(pg.Client.prototype, 'query') as (...sent: unknown[]) => unknown;
  Reflect.set(pg.Client.prototype, 'query', function count(this: pg.Client, ...sent: unknown[]) {
    if (this !== client) statements += 1;
    return Reflect.apply(submit, this, sent);
  });
  const readPosition = async () => {
    const { rows } = await client.query<{ position: string }>(
      `select pg_current_wal_lsn() - '0/0'::pg_lsn as position`,
    );
    return Number(rows[0]!.position);
  };
  return async (what, count, work) => {
    const pids = await listDescendants(process.pid);
    const wal = await readPosition();
    const times = await readProcessorTimes(pids);
    statements = 0;
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    const counted = statements;
    const database_us = addDifferences(times, await readProcessorTimes(pids));
    return {
      what,
      node_ms: (user + system) / 1_000 / count,
      database_ms: database_us / 1_000 / count,
      statements: counted / count,
      wal_bytes: ((await readPosition()) - wal) / count,
    };
  };
}

/** Measures answers of an assessment over REST. The client is in the same process. */
async function measureAnswers(measure: Meter, url: string, token: string): Promise<Cost> {
  const member = createClient(url, token);
  await member.post('/members/me/consent', {
    consent_type: 'assessment_data',
    granted: true,
    version: '1.0',
  });
  type State = { readonly next_item: { readonly item_id: string; readonly options: readonly string[] } };
  let state = (await member.post('/members/me/assessment', {})) as State;
  const answer = async () => {
    const { item_id, options } = state.next_item;
    const body = { item_id, option: options.length - 1 };
    state = (await member.post('/members/me/assessment/answers', body)) as State;
  };
  for (let number = 0; number < 5; number += 1) await answer();
  return measure('an answer', answers, async () => {
    for (let number = 0; number < answers; number += 1) await answer();
  });
}
