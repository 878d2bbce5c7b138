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
import { createMeter, type Cost, type Meter } from '../lib/cost-meter.ts';
import { createTemporaryDirectory } from '../lib/directory.ts';
import { addMembers } from '../lib/members.ts';
import { findFreePort } from '../lib/ports.ts';
import { openTurnMeter } from '../lib/turn-meter.ts';

/*
 * Runs in the tree that is measured, also an older one: `match-cost.ts` copies it there, with the meter. Service and tasks are in this process. Prints one line of JSON.
 */

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
  await addExplanations(client);
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

/** Without explanations, each repetition of a computation would queue those of its first people. */
async function addExplanations(client: pg.Client): Promise<void> {
  await client.query(`
    insert into match_explanations (job_id, match_id, basis, explanation, generated_at) select job_id, id, '', '{}', now() from matches`);
}

async function listMembers(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>('select id from members');
  return rows.map(({ id }) => id);
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
