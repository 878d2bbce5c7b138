import path from 'node:path';
import pg from 'pg';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { createPersonas, personaSettings } from '#test/web/personas.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { startOwnService } from './lib/own-service.ts';
import { formatMilliseconds, type Benchmark } from './lib/report.ts';
import { openTurnMeter, type LongestTurn, type TurnMeter } from './lib/turn-meter.ts';
import { addPopulation } from './turns/add-population.ts';
import { openBrowser, type Browser } from './turns/open-browser.ts';
import { listVisits } from './turns/list-visits.ts';
import { createTaskTracer } from './turns/trace-tasks.ts';
import { listUnrunTasks, queueTasks } from './turns/queue-tasks.ts';

const turn_max_ms = 50;
/** What takes less is only counted. */
const shown_ms = 15;

/** Measures the longest turn of the event loop that each task, export, list and page takes. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const [members, jobs] = quick ? [2_000, 10] : [100_000, 400];
  using meter = openTurnMeter();
  const turns = new Map<string, LongestTurn>();
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  const service = await startOwnService(cleaning, dataDir, personaSettings, {
    telemetry: createTaskTracer(meter, turns),
  });
  const { platform } = service.app;
  const personas = await createPersonas(service.url, platform, () => platform.queue.drain(platform));
  const client = new pg.Client({ ...(await findRunningPostgres(dataDir))!, ssl: false });
  await client.connect();
  cleaning.defer(() => client.end());
  const population = await addPopulation(platform, client, { members, jobs });
  await platform.queue.drain(platform);
  await queueTasks(platform);
  await platform.queue.drain(platform);
  const browser = openBrowser(cleaning, service.url);
  for (const visit of await listVisits(platform, client, personas, population))
    record(turns, visit.name, await measureVisit(meter, browser, visit));
  return buildReport(turns, { members, jobs, unrun: listUnrunTasks(turns) });
};

/** Requests twice: the first time also loads code and fills caches. */
async function measureVisit(
  meter: TurnMeter,
  browser: Browser,
  { name, address, headers }: Awaited<ReturnType<typeof listVisits>>[number],
): Promise<LongestTurn> {
  const [first, second] = [
    await meter.measure(() => browser.request(address, headers)),
    await meter.measure(() => browser.request(address, headers)),
  ];
  if (first.result.status >= 500) throw new Error(`${name}: status ${first.result.status}`);
  return combineTurns(first.turn, second.turn);
}

function record(turns: Map<string, LongestTurn>, name: string, turn: LongestTurn): void {
  turns.set(name, combineTurns(turns.get(name) ?? turn, turn));
}

function combineTurns(one: LongestTurn, other: LongestTurn): LongestTurn {
  return {
    busy_ms: Math.max(one.busy_ms, other.busy_ms),
    elapsed_ms: Math.max(one.elapsed_ms, other.elapsed_ms),
  };
}

function buildReport(
  turns: ReadonlyMap<string, LongestTurn>,
  {
    members,
    jobs,
    unrun,
  }: { readonly members: number; readonly jobs: number; readonly unrun: readonly string[] },
): Awaited<ReturnType<Benchmark>> {
  const sorted = [...turns].toSorted(([, one], [, other]) => other.busy_ms - one.busy_ms);
  const shown = sorted.filter(([, { busy_ms }]) => busy_ms >= shown_ms);
  return {
    title: `The longest turn of the event loop, with ${members.toLocaleString('en')} members and ${jobs} jobs`,
    tables: [
      {
        head: ['what', 'processor time', 'elapsed'],
        rows: shown.map(([name, { busy_ms, elapsed_ms }]) => [
          name,
          formatMilliseconds(busy_ms),
          formatMilliseconds(elapsed_ms),
        ]),
      },
    ],
    notes: [
      `Of ${turns.size} tasks, exports, lists and pages, the ${turns.size - shown.length} that are not shown take less than ${shown_ms} ms. Target: ${turn_max_ms} ms of processor time of the thread;`,
      'the elapsed time also has what other processes and garbage collection on other threads took. Pages, lists and exports are requested twice, and the first request loads code.',
      `Tasks without anything to do in this population: ${unrun.join(', ') || 'none'}.`,
    ],
    failures: sorted
      .filter(([, { busy_ms }]) => busy_ms > turn_max_ms)
      .map(([name, { busy_ms }]) => `${name} takes ${formatMilliseconds(busy_ms)} in one turn`),
  };
}
