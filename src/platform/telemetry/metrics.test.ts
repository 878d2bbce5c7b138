import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openMetrics } from './metrics.ts';

/** Reads the lines of a metric: the text before the value, and the value. */
async function readLines(
  metrics: { formatText(): Promise<string> },
  name: string,
): Promise<Record<string, number>> {
  const lines = (await metrics.formatText()).split('\n').filter((line) => line.startsWith(name));
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  );
}

const name = 'tessera_http_request_duration_seconds';
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

test('counts requests by method, route and class of status, and in every bucket from their duration up', async () => {
  const request = fc.record({
    route: fc.constantFrom('/api/v1/jobs', '/api/v1/jobs/:job_id', 'none'),
    method: fc.constantFrom('GET', 'POST'),
    status: fc.constantFrom(200, 202, 304, 404, 500),
    seconds: fc.oneof(fc.double({ min: 0, max: 20, noNaN: true }), fc.constantFrom(...bounds)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 30 }), async (requests) => {
      const metrics = openMetrics();
      const expected: Record<string, number> = {};
      const addExpected = (line: string, value: number) => (expected[line] = (expected[line] ?? 0) + value);
      for (const { route, method, status, seconds } of requests) {
        metrics.observeRequest(route, method, status, seconds);
        const labels = `method="${method}",route="${route}",status="${Math.floor(status / 100)}xx"`;
        for (const bound of bounds)
          addExpected(`${name}_bucket{le="${bound}",${labels}}`, seconds <= bound ? 1 : 0);
        addExpected(`${name}_bucket{le="+Inf",${labels}}`, 1);
        addExpected(`${name}_sum{${labels}}`, seconds);
        addExpected(`${name}_count{${labels}}`, 1);
      }
      expect(await readLines(metrics, name)).toEqual(expected);
    }),
    { numRuns: 20 },
  );
});

test('the number of requests in flight rises when a request starts and falls when it ends', async () => {
  const metrics = openMetrics();
  metrics.countRequestStart();
  metrics.countRequestStart();
  metrics.countRequestEnd();
  expect(await readLines(metrics, 'tessera_http_requests_in_flight')).toEqual({
    tessera_http_requests_in_flight: 1,
  });
});

test('counts runs of tasks by outcome and measures their duration', async () => {
  const metrics = openMetrics();
  metrics.observeTask('export', 'retried', 0.2);
  metrics.observeTask('export', 'succeeded', 0.4);
  expect(await readLines(metrics, 'tessera_task_runs_total')).toEqual({
    'tessera_task_runs_total{task="export",outcome="retried"}': 1,
    'tessera_task_runs_total{task="export",outcome="succeeded"}': 1,
  });
  expect(await readLines(metrics, 'tessera_task_duration_seconds')).toMatchObject({
    'tessera_task_duration_seconds_count{task="export"}': 2,
    'tessera_task_duration_seconds_bucket{le="0.5",task="export"}': 2,
    'tessera_task_duration_seconds_bucket{le="0.1",task="export"}': 0,
  });
});

test('counts checks of tokens, and reading the metrics does not change the counts', async () => {
  const metrics = openMetrics();
  metrics.countToken('miss');
  metrics.countToken('hit');
  await metrics.formatText();
  metrics.countToken('hit');
  expect(await readLines(metrics, 'tessera_token_checks_total')).toEqual({
    'tessera_token_checks_total{outcome="hit"}': 2,
    'tessera_token_checks_total{outcome="miss"}': 1,
    'tessera_token_checks_total{outcome="refused"}': 0,
  });
});

test('reads the state of the pool each time the metrics are read', async () => {
  const metrics = openMetrics();
  expect(await readLines(metrics, 'tessera_database_pool{')).toEqual({});
  let idle = 3;
  metrics.watch({ readPool: () => ({ total: 4, idle, waiting: 0 }) });
  await metrics.formatText();
  idle = 1;
  expect(await readLines(metrics, 'tessera_database_pool{')).toEqual({
    'tessera_database_pool{state="total"}': 4,
    'tessera_database_pool{state="idle"}': 1,
    'tessera_database_pool{state="waiting"}': 0,
  });
});

test('logins and mails have a first value of zero, so that the first failure is an increase', async () => {
  const metrics = openMetrics();
  metrics.countLogin('password', 'failed');
  metrics.countMail('sent');
  metrics.countMail('sent');
  expect(await readLines(metrics, 'tessera_logins_total')).toEqual({
    'tessera_logins_total{method="password",outcome="succeeded"}': 0,
    'tessera_logins_total{method="password",outcome="failed"}': 1,
    'tessera_logins_total{method="code",outcome="succeeded"}': 0,
    'tessera_logins_total{method="code",outcome="failed"}': 0,
    'tessera_logins_total{method="passkey",outcome="succeeded"}': 0,
    'tessera_logins_total{method="passkey",outcome="failed"}': 0,
    'tessera_logins_total{method="sso",outcome="succeeded"}': 0,
    'tessera_logins_total{method="sso",outcome="failed"}': 0,
  });
  expect(await readLines(metrics, 'tessera_mails_total')).toEqual({
    'tessera_mails_total{outcome="sent"}': 2,
    'tessera_mails_total{outcome="failed"}': 0,
  });
});

test('a source that knows nothing has no samples, not even those of its last reading', async () => {
  const metrics = openMetrics();
  const state = { task: 'a', waiting: 1, scheduled: 2, oldest_wait_seconds: 3.5, running: 4, failed: 5 };
  let queue: (typeof state)[] | undefined = [state];
  let size: number | undefined = 7;
  metrics.watch({
    readQueue: async () => queue,
    checkReadiness: async () => true,
  });
  metrics.addGauges([
    {
      name: 'tessera_part_size',
      help: 'A gauge of a module.',
      read: () => (size === undefined ? [] : [[{}, size]]),
    },
  ]);
  const readAll = async () => ({
    ...(await readLines(metrics, 'tessera_tasks_')),
    ...(await readLines(metrics, 'tessera_queue_')),
    ...(await readLines(metrics, 'tessera_part_')),
    ...(await readLines(metrics, 'tessera_ready')),
  });
  expect(await readAll()).toEqual({
    'tessera_tasks_waiting{task="a"}': 1,
    'tessera_tasks_scheduled{task="a"}': 2,
    'tessera_tasks_oldest_wait_seconds{task="a"}': 3.5,
    'tessera_tasks_running{task="a"}': 4,
    'tessera_tasks_failed{task="a"}': 5,
    tessera_queue_readable: 1,
    tessera_part_size: 7,
    tessera_ready: 1,
  });
  [queue, size] = [undefined, undefined];
  expect(await readAll()).toEqual({ tessera_queue_readable: 0, tessera_ready: 1 });
});

test('a counter of a module counts every value of its label from zero', async () => {
  const metrics = openMetrics();
  const counter = { name: 'tessera_parts_total', help: 'Parts.', label: 'kind', values: ['a', 'b'] } as const;
  metrics.addCounters([counter]);
  metrics.count(counter, 'b');
  expect(await readLines(metrics, 'tessera_parts_')).toEqual({
    'tessera_parts_total{kind="a"}': 0,
    'tessera_parts_total{kind="b"}': 1,
  });
});

test('every metric has the prefix of the service', async () => {
  const lines = (await openMetrics().formatText()).split('\n');
  const names = lines.flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []);
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((each) => !each.startsWith('tessera_'))).toEqual([]);
});

test('measures the process, and two registries share nothing', async () => {
  const [one, other] = [openMetrics(), openMetrics()];
  one.observeRequest('/health', 'GET', 200, 0.001);
  expect(await one.formatText()).toContain('\ntessera_process_cpu_seconds_total ');
  expect(await other.formatText()).not.toContain('/health');
  expect(one.contentType).toMatch(/^text\/plain; version=0\.0\.4/);
});
