import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** How a run of a task ended; `retried` failed and will be tried again. */
export type TaskOutcome = 'succeeded' | 'retried' | 'failed';

/** What became of an access token's check: already verified, verified now, or refused. */
export type TokenOutcome = 'hit' | 'miss' | 'refused';

/** Connections of the database's pool: open in all, of them idle, and requests that wait for one. */
export type PoolState = { readonly total: number; readonly idle: number; readonly waiting: number };

/** The measurements of this process, in the names and units of Prometheus (seconds). Labels are ours, never a client's text. */
export type Metrics = {
  /** Counts a request in; {@link Metrics.countRequestEnd} counts it out, also when it was aborted. */
  countRequestStart(): void;
  countRequestEnd(): void;
  /** @param route The route's pattern, or one fixed word where none matched. */
  observeRequest(route: string, method: string, status: number, seconds: number): void;
  observeTask(task: string, outcome: TaskOutcome, seconds: number): void;
  countToken(outcome: TokenOutcome): void;
  /** Asks `state` whenever the metrics are read. */
  watchPool(state: () => PoolState): void;
  /** All of it in the Prometheus text format 0.0.4. */
  formatText(): Promise<string>;
  readonly contentType: string;
};

const request_buckets_s = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const task_buckets_s = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900];

/** Opens the measurements in a registry of their own. */
export function openMetrics(): Metrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const observeRequest = registerRequests(register);
  const observeTask = registerTasks(register);
  const tokens = registerTokens(register);
  const watched = registerPool(register);
  let readInFlight = 0;
  registerInFlight(register, () => readInFlight);
  return {
    countRequestStart: () => void readInFlight++,
    countRequestEnd: () => void readInFlight--,
    observeRequest,
    observeTask,
    countToken: (outcome) => void tokens[outcome]++,
    watchPool: (state) => void (watched.pool = state),
    formatText: () => register.metrics(),
    contentType: register.contentType,
  };
}

/** A child for each set of labels (`histogram.labels(…)`), kept in a map, takes longer than `observe` with the labels. */
function registerRequests(register: Registry): Metrics['observeRequest'] {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took, by method, route and class of status.',
    labelNames: ['method', 'route', 'status'],
    buckets: request_buckets_s,
    registers: [register],
  });
  return (route, method, status, seconds) =>
    duration.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds);
}

function registerInFlight(register: Registry, inFlight: () => number): void {
  register.registerMetric(
    new Gauge({
      name: 'http_requests_in_flight',
      help: 'Requests that are being answered.',
      registers: [],
      collect() {
        this.set(inFlight());
      },
    }),
  );
}

function registerTasks(register: Registry): Metrics['observeTask'] {
  const registers = [register];
  const total = new Counter({
    name: 'tasks_total',
    help: 'Runs of background tasks.',
    labelNames: ['task', 'outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'task_duration_seconds',
    help: 'How long runs of background tasks took.',
    labelNames: ['task'],
    buckets: task_buckets_s,
    registers,
  });
  return (task, outcome, seconds) => {
    total.inc({ task, outcome });
    duration.observe({ task }, seconds);
  };
}

function registerTokens(register: Registry): Record<TokenOutcome, number> {
  const counted = { hit: 0, miss: 0, refused: 0 };
  register.registerMetric(
    new Counter({
      name: 'token_cache_total',
      help: 'Checks of access tokens: already verified, verified now, refused.',
      labelNames: ['outcome'],
      registers: [],
      collect() {
        this.reset();
        for (const [outcome, count] of Object.entries(counted)) this.inc({ outcome }, count);
      },
    }),
  );
  return counted;
}

function registerPool(register: Registry): { pool?: () => PoolState } {
  const watched: { pool?: () => PoolState } = {};
  register.registerMetric(
    new Gauge({
      name: 'database_pool',
      help: 'Connections to the database: open in all, of them idle, and requests waiting for one.',
      labelNames: ['state'],
      registers: [],
      collect() {
        for (const [state, connections] of Object.entries(watched.pool?.() ?? {}))
          this.set({ state }, connections);
      },
    }),
  );
  return watched;
}
