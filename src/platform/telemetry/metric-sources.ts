import { Gauge, type Registry } from 'prom-client';
import type { Build } from '#platform/telemetry/build.ts';

/** The connections of the database pool: all open ones, the idle ones among them, and the requests that wait for one. */
export type PoolState = { readonly total: number; readonly idle: number; readonly waiting: number };

/** The queued tasks of one name. */
export type TaskState = {
  readonly task: string;
  /** Tasks that may run now. */
  readonly waiting: number;
  /** Tasks whose time has not come, such as a second attempt. */
  readonly scheduled: number;
  /** The time since the oldest waiting task could run; 0 if none waits. */
  readonly oldest_wait_seconds: number;
  readonly running: number;
  /** Tasks that failed for good within the last week. */
  readonly failed: number;
};

/** The index of deployed members that this process matches with. */
export type IndexState = {
  /** `building`: not yet usable. `behind`: usable, but it has not followed the changes for too long. */
  readonly readiness: 'building' | 'behind' | 'ready';
  readonly members: number;
  readonly bytes: number;
  /** The index contains every change that is older than this. Undefined until it is built. */
  readonly lag_seconds: number | undefined;
};

/** States that are read from other parts of the process when the metrics are read. A source resolves within a few seconds. */
export type MetricSources = {
  readonly readBuild: () => Build;
  readonly readPool: () => PoolState;
  /** The largest number of connections of the pool. */
  readonly readPoolSize: () => number;
  /** Undefined if the queue cannot be read at the moment. */
  readonly readQueue: () => Promise<readonly TaskState[] | undefined>;
  /** Undefined if this process does not match. */
  readonly readIndex: () => IndexState | undefined;
  /** Whether the process can do its work. */
  readonly checkReadiness: () => Promise<boolean>;
};

type Sources = Partial<MetricSources>;
type GaugeValues = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];
/** A gauge whose values are read when the metrics are read. */
export type GaugeOptions = {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  readonly read: () => GaugeValues | Promise<GaugeValues>;
};

/** Registers the gauges of all sources. A gauge whose source is missing, or knows no value, has no samples. @returns a function that adds sources. */
export function registerSources(register: Registry): (more: Sources) => void {
  const sources: Sources = {};
  const add = (options: GaugeOptions) => registerGauge(register, options);
  registerProcess(add, sources);
  registerPool(add, sources);
  registerQueue(add, sources);
  registerIndex(add, sources);
  return (more) => void Object.assign(sources, more);
}

type Add = (options: GaugeOptions) => void;

/** Registers a gauge. */
export function registerGauge(register: Registry, { name, help, labelNames = [], read }: GaugeOptions): void {
  register.registerMetric(
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [],
      async collect() {
        const values = await read();
        this.reset();
        // After a reset, a gauge without labels has the value 0 instead of no sample.
        if (labelNames.length === 0) this.remove({});
        for (const [labels, value] of values) this.set(labels, value);
      },
    }),
  );
}

function registerProcess(add: Add, sources: Sources): void {
  add({
    name: 'tessera_build_info',
    help: 'Always 1. The labels name the version of the service, of Node, and the commit if it is known.',
    labelNames: ['version', 'node', 'commit'],
    read: () => (sources.readBuild ? [[sources.readBuild(), 1]] : []),
  });
  add({
    name: 'tessera_ready',
    help: 'Whether the process can do its work (1), as the readiness check says, or not (0).',
    read: async () => (sources.checkReadiness ? [[{}, Number(await sources.checkReadiness())]] : []),
  });
}

function registerPool(add: Add, sources: Sources): void {
  add({
    name: 'tessera_database_pool',
    help: 'Connections to the database: all open ones, the idle ones, and requests that wait for one.',
    labelNames: ['state'],
    read: () => Object.entries(sources.readPool?.() ?? {}).map(([state, value]) => [{ state }, value]),
  });
  add({
    name: 'tessera_database_pool_size',
    help: 'The largest number of connections that the pool opens.',
    read: () => (sources.readPoolSize ? [[{}, sources.readPoolSize()]] : []),
  });
}

function registerQueue(add: Add, sources: Sources): void {
  const readTasks = async (field: Exclude<keyof TaskState, 'task'>): Promise<GaugeValues> => {
    const states = (await sources.readQueue?.()) ?? [];
    return states.map((state) => [{ task: state.task }, state[field]]);
  };
  const addTasks = (name: string, help: string, field: Exclude<keyof TaskState, 'task'>) =>
    add({ name, help, labelNames: ['task'], read: () => readTasks(field) });
  addTasks('tessera_tasks_waiting', 'Background tasks that may run now and wait for a worker.', 'waiting');
  addTasks(
    'tessera_tasks_scheduled',
    'Background tasks whose time has not come, second attempts included.',
    'scheduled',
  );
  addTasks(
    'tessera_tasks_oldest_wait_seconds',
    'Time since the oldest waiting task could run; 0 if none waits.',
    'oldest_wait_seconds',
  );
  addTasks('tessera_tasks_running', 'Background tasks that a worker of any process is running.', 'running');
  addTasks(
    'tessera_tasks_failed',
    'Background tasks that failed for good within the last seven days.',
    'failed',
  );
  add({
    name: 'tessera_queue_readable',
    help: 'Whether the state of the queue could be read (1) within two seconds or not (0).',
    read: async () => (sources.readQueue ? [[{}, Number((await sources.readQueue()) !== undefined)]] : []),
  });
}

function registerIndex(add: Add, sources: Sources): void {
  const addIndex = (name: string, help: string, read: (state: IndexState) => number | undefined) =>
    add({
      name,
      help,
      read: () => {
        const state = sources.readIndex?.();
        const value = state && read(state);
        return value === undefined ? [] : [[{}, value]];
      },
    });
  addIndex('tessera_match_index_members', 'Deployed members in the match index.', ({ members }) => members);
  addIndex('tessera_match_index_bytes', 'Memory of the match index.', ({ bytes }) => bytes);
  addIndex(
    'tessera_match_index_ready',
    'Whether the match index is built and follows the changes of members (1) or not (0).',
    ({ readiness }) => Number(readiness === 'ready'),
  );
  addIndex(
    'tessera_match_index_lag_seconds',
    'The match index contains every change of a member that is older than this.',
    ({ lag_seconds }) => lag_seconds,
  );
}
