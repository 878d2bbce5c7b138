import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { systemClock, type Clock } from '#platform/clock.ts';
import {
  registerGauge,
  registerSources,
  type GaugeOptions,
  type MetricSources,
} from '#platform/telemetry/metric-sources.ts';
import { openRecentMinutes, type RecentMinute } from '#platform/telemetry/recent-minutes.ts';
import { countDroppedLines } from '#platform/telemetry/standard-output.ts';

/** The outcome of a run of a task. `retried` means that it failed and will be tried again. */
export type TaskOutcome = 'succeeded' | 'retried' | 'failed';

/** The outcome of an access token's check: already verified, verified now, or refused. */
export type TokenOutcome = 'hit' | 'miss' | 'refused';

/** The outcome of sending a mail. A mail that failed is usually tried again. */
export type MailOutcome = 'sent' | 'failed';

/** What a user proved at a login. With MFA, a login has two steps, `password` and `code`, which are counted separately. */
export type LoginMethod = 'password' | 'code' | 'passkey' | 'sso';

/** The outcome of a login or of one of its steps. */
export type LoginOutcome = 'succeeded' | 'failed';

/** The outcome of an agent's call of a tool: a result, a refusal, a price, or a fault of the service. */
export type ToolCallOutcome = (typeof toolCallOutcomes)[number];

const toolCallOutcomes = ['succeeded', 'refused', 'unpaid', 'failed'] as const;

/** What looks like an attempt to measure traits: many narrow jobs, many changes of one job, or most of the allowed changes. */
export type ProbingPattern = 'narrow_jobs' | 'repeated_changes' | 'most_changes';

/** The metrics of this process, with names and units as Prometheus recommends (seconds). Labels never contain text from a client. */
export type Metrics = {
  /** Counts the start of a request. {@link Metrics.countRequestEnd} counts its end, even if the client disconnected. */
  countRequestStart(): void;
  countRequestEnd(): void;
  /** @param route The pattern of the route, or a fixed word if none matched. */
  observeRequest(route: string, method: string, status: number, seconds: number): void;
  observeTask(task: string, outcome: TaskOutcome, seconds: number): void;
  /** Measures how long a task waited from the time at which it could run. */
  observeTaskWait(task: string, seconds: number): void;
  countToken(outcome: TokenOutcome): void;
  countMail(outcome: MailOutcome): void;
  countLogin(method: LoginMethod, outcome: LoginOutcome): void;
  /** Counts an agent's call of a tool that exists. */
  /** Counts the calls of these tools from zero, so that a rate has a beginning. */
  startToolCalls(tools: readonly string[]): void;
  countToolCall(tool: string, outcome: ToolCallOutcome): void;
  /** Counts a report about an organisation whose jobs look like an attempt to measure traits. */
  countProbing(pattern: ProbingPattern): void;
  /** Reads these states whenever the metrics are read. */
  watch(sources: Partial<MetricSources>): void;
  /** Adds gauges of the modules. */
  addGauges(gauges: readonly GaugeOptions[]): void;
  /** What this process did in the last hour, by minute. */
  listRecentMinutes(): readonly RecentMinute[];
  /** Returns all metrics in the Prometheus text format 0.0.4. */
  formatText(): Promise<string>;
  readonly contentType: string;
};

/** The beginning of every name, which distinguishes the metrics from those of other services. */
const prefix = 'tessera_';

const request_buckets_s = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const wait_buckets_s = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600,
];
const task_buckets_s = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900];

/** Opens the metrics in a separate registry. */
export function openMetrics(clock: Clock = systemClock): Metrics {
  const register = new Registry();
  collectDefaultMetrics({ register, prefix });
  const recent = openRecentMinutes(clock);
  const observeDuration = registerRequests(register);
  const observeTask = registerTasks(register);
  const observeTaskWait = registerTaskWaits(register);
  const tokens = registerTokens(register);
  const mails = registerMails(register);
  const logins = registerLogins(register);
  const toolCalls = registerToolCalls(register);
  const probings = registerProbings(register);
  const watch = registerSources(register);
  let requestsInFlight = 0;
  registerInFlight(register, () => requestsInFlight);
  registerDroppedLines(register);
  return {
    countRequestStart: () => void requestsInFlight++,
    countRequestEnd: () => void requestsInFlight--,
    observeRequest: (route, method, status, seconds) => {
      observeDuration(route, method, status, seconds);
      recent.observeRequest(status, seconds);
    },
    observeTask,
    observeTaskWait,
    countToken: (outcome) => void tokens[outcome]++,
    countMail: (outcome) => {
      mails.inc({ outcome });
      recent.countMail(outcome);
    },
    countLogin: (method, outcome) => logins.inc({ method, outcome }),
    startToolCalls: (tools) => {
      for (const tool of tools) for (const outcome of toolCallOutcomes) toolCalls.inc({ tool, outcome }, 0);
    },
    countToolCall: (tool, outcome) => toolCalls.inc({ tool, outcome }),
    countProbing: (pattern) => probings.inc({ pattern }),
    watch,
    addGauges: (gauges) => {
      for (const gauge of gauges) registerGauge(register, gauge);
    },
    listRecentMinutes: () => recent.list(),
    formatText: () => register.metrics(),
    contentType: register.contentType,
  };
}

/** `observe` with labels is faster than a map of children for each set of labels (`histogram.labels(…)`). */
function registerRequests(register: Registry): Metrics['observeRequest'] {
  const duration = new Histogram({
    name: 'tessera_http_request_duration_seconds',
    help: 'Duration of requests by method, route and class of status.',
    labelNames: ['method', 'route', 'status'],
    buckets: request_buckets_s,
    registers: [register],
  });
  return (route, method, status, seconds) =>
    duration.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds);
}

function registerInFlight(register: Registry, readInFlight: () => number): void {
  register.registerMetric(
    new Gauge({
      name: 'tessera_http_requests_in_flight',
      help: 'Requests that are being processed.',
      registers: [],
      collect() {
        this.set(readInFlight());
      },
    }),
  );
}

function registerDroppedLines(register: Registry): void {
  register.registerMetric(
    new Counter({
      name: 'tessera_log_lines_dropped_total',
      help: 'Lines of the log that were dropped, because nobody read standard output in time.',
      registers: [],
      collect() {
        this.reset();
        this.inc(countDroppedLines());
      },
    }),
  );
}

function registerTasks(register: Registry): Metrics['observeTask'] {
  const registers = [register];
  const total = new Counter({
    name: 'tessera_task_runs_total',
    help: 'Runs of background tasks that have ended: succeeded, failed and to be tried again, or failed for good.',
    labelNames: ['task', 'outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'tessera_task_duration_seconds',
    help: 'Duration of runs of background tasks.',
    labelNames: ['task'],
    buckets: task_buckets_s,
    registers,
  });
  return (task, outcome, seconds) => {
    total.inc({ task, outcome });
    duration.observe({ task }, seconds);
  };
}

function registerTaskWaits(register: Registry): Metrics['observeTaskWait'] {
  const wait = new Histogram({
    name: 'tessera_task_wait_seconds',
    help: 'Time that background tasks waited until a worker took them, from when they could run.',
    labelNames: ['task'],
    buckets: wait_buckets_s,
    registers: [register],
  });
  return (task, seconds) => wait.observe({ task }, seconds);
}

/** Tokens are counted with every request, so their counts are plain numbers until they are read. */
function registerTokens(register: Registry): Record<TokenOutcome, number> {
  const counts = { hit: 0, miss: 0, refused: 0 };
  register.registerMetric(
    new Counter({
      name: 'tessera_token_checks_total',
      help: 'Checks of access tokens: already verified (hit), verified now (miss), refused.',
      labelNames: ['outcome'],
      registers: [],
      collect() {
        this.reset();
        for (const [outcome, count] of Object.entries(counts)) this.inc({ outcome }, count);
      },
    }),
  );
  return counts;
}

function registerMails(register: Registry): Counter<'outcome'> {
  const mails = new Counter({
    name: 'tessera_mails_total',
    help: 'Attempts to send a mail: accepted by the mail server or written as a file (sent), or failed.',
    labelNames: ['outcome'],
    registers: [register],
  });
  const outcomes: readonly MailOutcome[] = ['sent', 'failed'];
  // A rate needs a first value: without it, the first failure would be no increase.
  for (const outcome of outcomes) mails.inc({ outcome }, 0);
  return mails;
}

function registerLogins(register: Registry): Counter<'method' | 'outcome'> {
  const logins = new Counter({
    name: 'tessera_logins_total',
    help: 'Logins by password, passkey or single sign-on, and second steps by code; failed means refused.',
    labelNames: ['method', 'outcome'],
    registers: [register],
  });
  const methods: readonly LoginMethod[] = ['password', 'code', 'passkey', 'sso'];
  const outcomes: readonly LoginOutcome[] = ['succeeded', 'failed'];
  for (const method of methods) for (const outcome of outcomes) logins.inc({ method, outcome }, 0);
  return logins;
}

function registerToolCalls(register: Registry): Counter<'tool' | 'outcome'> {
  const calls = new Counter({
    name: 'tessera_tool_calls_total',
    help: 'Calls of tools by agents: succeeded, refused, unpaid (the price was replied), or failed by a fault of the service.',
    labelNames: ['tool', 'outcome'],
    registers: [register],
  });
  return calls;
}

function registerProbings(register: Registry): Counter<'pattern'> {
  const probings = new Counter({
    name: 'tessera_probing_reports_total',
    help: 'Reports about organisations whose jobs look like an attempt to measure traits, by pattern.',
    labelNames: ['pattern'],
    registers: [register],
  });
  const patterns: readonly ProbingPattern[] = ['narrow_jobs', 'repeated_changes', 'most_changes'];
  for (const pattern of patterns) probings.inc({ pattern }, 0);
  return probings;
}
