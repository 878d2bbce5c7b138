import { setTimeout as pause } from 'node:timers/promises';

/** An acknowledged write: the id in the reply, and when it came. */
export type Acknowledged = { readonly id: string; readonly at_ms: number };

/** Clients that write as fast as they get replies, until they are stopped. */
export type Load = {
  readonly jobs: readonly Acknowledged[];
  readonly people: readonly Acknowledged[];
  /** How many replies had each status; `none` counts requests whose connection broke. */
  readonly statuses: ReadonlyMap<string, number>;
  /** The longest time without an acknowledged write between two moments, in milliseconds. */
  readonly findLongestGap: (from_ms: number, to_ms: number) => number;
  /** Waits until writes that began after this call have been acknowledged. */
  readonly waitForWrites: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Sends a POST request to the API. Rejects if the connection breaks. */
export type Send = (
  path: string,
  body: object,
  token?: string,
) => Promise<{ readonly status: number; readonly reply: object }>;

/** How long a client waits before it tries again. Shorter than Retry-After, so that the recovery is measured exactly. */
const retry_ms = 50;

/** Time between two writes of a client, so that the tasks that they cause can keep up. */
const rest_ms = 50;

/** Starts clients: one for each token creates jobs, which queue a task each, and two register people, who also get a mail each. */
export function startLoad(send: Send, tokens: readonly string[]): Load {
  const stopping = new AbortController();
  let created = 0;
  const jobs: Acknowledged[] = [];
  const people: Acknowledged[] = [];
  const statuses = new Map<string, number>();
  const write = async (acknowledged: Acknowledged[], attempt: () => Promise<Attempt>) => {
    while (!stopping.signal.aborted) {
      const { status, id } = await attempt().catch(() => ({ status: 'none', id: undefined }));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (id !== undefined) acknowledged.push({ id, at_ms: performance.now() });
      await pause(id === undefined ? retry_ms : rest_ms);
    }
  };
  const createJob = async (token: string): Promise<Attempt> => {
    const { status, reply } = await send('/orgs/me/jobs', buildJob(++created), token);
    return { status: String(status), id: (reply as { id?: string }).id };
  };
  const register = async (): Promise<Attempt> => {
    const { status, reply } = await send('/auth/register', buildPerson(++created));
    return { status: String(status), id: (reply as { user?: { id: string } }).user?.id };
  };
  const clients = [
    ...tokens.map((token) => write(jobs, () => createJob(token))),
    write(people, register),
    write(people, register),
  ];
  return {
    jobs,
    people,
    statuses,
    findLongestGap: (from_ms, to_ms) => findLongestGap([...jobs, ...people], from_ms, to_ms),
    waitForWrites: async () => {
      // Each client has at most one write under way, so one of these began later.
      const enough = jobs.length + tokens.length + 1;
      while (jobs.length < enough) await pause(20);
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(clients);
    },
  };
}

type Attempt = { readonly status: string; readonly id: string | undefined };

function findLongestGap(acknowledged: readonly Acknowledged[], from_ms: number, to_ms: number): number {
  const inside = acknowledged.map(({ at_ms }) => at_ms).filter((time) => time > from_ms && time < to_ms);
  const times = [from_ms, ...inside.sort((a, b) => a - b), to_ms];
  return Math.max(...times.slice(1).map((time, position) => time - times[position]!));
}

const buildJob = (number: number) => ({
  title: `Job ${number}`,
  outcome_description: 'Created while the cluster loses its parts.',
  trait_priorities: { persistence: 0.8, accountability: 0.6 },
});

const buildPerson = (number: number) => ({
  email: `person-${number}@cluster.example`,
  password: 'Correct-Horse-9',
  name: `Person ${number}`,
});
