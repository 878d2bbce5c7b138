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

const name = 'http_request_duration_seconds';
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
  expect(await readLines(metrics, 'http_requests_in_flight')).toEqual({ http_requests_in_flight: 1 });
});

test('counts runs of tasks by outcome and measures their duration', async () => {
  const metrics = openMetrics();
  metrics.observeTask('export', 'retried', 0.2);
  metrics.observeTask('export', 'succeeded', 0.4);
  expect(await readLines(metrics, 'tasks_total')).toEqual({
    'tasks_total{task="export",outcome="retried"}': 1,
    'tasks_total{task="export",outcome="succeeded"}': 1,
  });
  expect(await readLines(metrics, 'task_duration_seconds')).toMatchObject({
    'task_duration_seconds_count{task="export"}': 2,
    'task_duration_seconds_bucket{le="0.5",task="export"}': 2,
    'task_duration_seconds_bucket{le="0.1",task="export"}': 0,
  });
});

test('counts checks of tokens, and reading the metrics does not change the counts', async () => {
  const metrics = openMetrics();
  metrics.countToken('miss');
  metrics.countToken('hit');
  await metrics.formatText();
  metrics.countToken('hit');
  expect(await readLines(metrics, 'token_cache_total')).toEqual({
    'token_cache_total{outcome="hit"}': 2,
    'token_cache_total{outcome="miss"}': 1,
    'token_cache_total{outcome="refused"}': 0,
  });
});

test('reads the state of the pool each time the metrics are read', async () => {
  const metrics = openMetrics();
  expect(await readLines(metrics, 'database_pool{')).toEqual({});
  let idle = 3;
  metrics.watchPool(() => ({ total: 4, idle, waiting: 0 }));
  await metrics.formatText();
  idle = 1;
  expect(await readLines(metrics, 'database_pool{')).toEqual({
    'database_pool{state="total"}': 4,
    'database_pool{state="idle"}': 1,
    'database_pool{state="waiting"}': 0,
  });
});

test('measures the process, and two registries share nothing', async () => {
  const [one, other] = [openMetrics(), openMetrics()];
  one.observeRequest('/health', 'GET', 200, 0.001);
  expect(await one.formatText()).toContain('process_cpu_seconds_total');
  expect(await other.formatText()).not.toContain('/health');
  expect(one.contentType).toMatch(/^text\/plain; version=0\.0\.4/);
});
