import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startDatabases, type Databases } from './databases.ts';
import { startLoad, type Acknowledged, type Load, type Send } from './load.ts';
import { startCluster, type Cluster } from './nodes.ts';
import { openWorkshop, waitFor, type Workshop } from './programs.ts';

/**
 * Starts the recipe "High availability" of docs/operating.md on loopback: three members of etcd, three hosts with Patroni and PostgreSQL,
 * HAProxy, Redis and two Tessera nodes. Breaks its parts one after another while clients write, prints how long writes paused, and checks
 * that every acknowledged write is still there. The exit code is 1 if one is missing or something does not recover.
 */
async function runCluster(): Promise<void> {
  const { folder, remove } = await runInWorkshop();
  if (process.exitCode) console.error(`The logs are in ${folder}.`);
  else await remove();
}

async function runInWorkshop(): Promise<Workshop> {
  await using cleaning = new AsyncDisposableStack();
  const workshop = await openWorkshop(cleaning);
  console.error(`The logs are in ${workshop.folder} until the end.`);
  const databases = await startDatabases(cleaning, workshop);
  const cluster = await startCluster(workshop, databases);
  await waitFor('HAProxy', 60, async () => (await fetch(`${cluster.url}/health`)).ok);
  const send = createSender(cluster.url);
  const load = startLoad(send, await registerOrganisations(send));
  console.log('| event | longest pause between acknowledged writes |\n| --- | --- |');
  console.log(`| none, for ${calm_ms / 1000} s | ${await measurePause(load, async () => pause(calm_ms))} |`);
  for (const event of listEvents(databases, cluster)) {
    console.log(`| ${event.name} | ${await measureEvent(event, load)} |`);
    await event.repairPart();
    await pause(calm_ms);
  }
  await load.stop();
  await checkAcknowledged(load, cluster);
  return workshop;
}

function measureEvent({ breakPart }: Event, load: Load): Promise<string> {
  return measurePause(load, async () => {
    await breakPart();
    await pause(calm_ms);
    await load.waitForWrites();
  });
}

type Event = {
  readonly name: string;
  readonly breakPart: () => Promise<void>;
  /** Brings back what was broken, and waits until the cluster could lose a part again. */
  readonly repairPart: () => Promise<void>;
};

const calm_ms = 10_000;
const organisations = 6;

function listEvents(databases: Databases, { nodes, redis }: Cluster): readonly Event[] {
  const waitUntilReady = async () => {
    for (const node of nodes) await waitFor(`node ${node.name}`, 60, node.isReady);
  };
  const killPrimary = (): Event => {
    let killed: (typeof databases.hosts)[number] | undefined;
    return {
      name: 'the primary and its Patroni are killed',
      breakPart: async () => {
        killed = await waitFor('a primary', 10, databases.findPrimary);
        await killed.kill();
      },
      repairPart: async () => {
        await killed!.start();
        await databases.waitUntilProtected();
        await waitUntilReady();
      },
    };
  };
  const [first, second] = nodes;
  return [
    killPrimary(),
    {
      name: 'a planned switchover',
      breakPart: databases.switchPrimary,
      repairPart: async () => {
        await databases.waitUntilProtected();
        await waitUntilReady();
      },
    },
    killPrimary(),
    {
      name: 'one Tessera node is killed',
      breakPart: () => first!.kill(),
      repairPart: async () => {
        await first!.start();
        await waitUntilReady();
      },
    },
    {
      name: 'the other Tessera node is killed',
      breakPart: () => second!.kill(),
      repairPart: async () => {
        await second!.start();
        await waitUntilReady();
      },
    },
    { name: 'Redis is killed', breakPart: redis.kill, repairPart: redis.start },
  ];
}

async function measurePause(load: Load, work: () => Promise<void>): Promise<string> {
  const began = performance.now();
  await work();
  return `${(load.findLongestGap(began, performance.now()) / 1000).toFixed(1)} s`;
}

function createSender(url: string): Send {
  return async (path, body, token) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const isJson = response.headers.get('content-type')?.includes('json');
    // HAProxy itself replies with HTML while no node lives.
    return { status: response.status, reply: isJson ? ((await response.json()) as object) : {} };
  };
}

async function registerOrganisations(send: Send): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (let number = 1; number <= organisations; number++) {
    const { reply } = await send('/auth/register', {
      email: `admin-${number}@cluster.example`,
      password: 'Correct-Horse-9',
      name: `Organisation ${number}`,
      role: 'org_admin',
    });
    tokens.push((reply as { access_token: string }).access_token);
  }
  return tokens;
}

/** Looks in the database of the last primary for every write that a client got an acknowledgement for. */
async function checkAcknowledged({ jobs, people, statuses }: Load, cluster: Cluster): Promise<void> {
  const client = new pg.Client(cluster.settings);
  await client.connect();
  const lost = {
    jobs: await countMissing(client, 'select id from jobs where id = any($1)', jobs),
    people: await countMissing(client, 'select id from users where id = any($1)', people),
  };
  const countTasks = () => countUnfinishedTasks(client);
  await waitFor('the end of all tasks', 300, async () => (await countTasks()) === 0);
  await client.end();
  const mails = (await Promise.all(cluster.nodes.map((node) => node.countMails()))).reduce((a, b) => a + b);
  console.log(`\nAcknowledged: ${jobs.length} jobs and ${people.length} registrations.`);
  console.log(`Lost: ${lost.jobs} jobs and ${lost.people} registrations.`);
  console.log(`Mails: ${mails} written. Tasks left: 0.`);
  console.log(
    `Replies by status: ${[...statuses].map(([status, count]) => `${status} ${count}`).join(', ')}.`,
  );
  if (lost.jobs + lost.people > 0 || mails < people.length) process.exitCode = 1;
}

async function countMissing(
  client: pg.Client,
  statement: string,
  acknowledged: readonly Acknowledged[],
): Promise<number> {
  const { rows } = await client.query<{ id: string }>(statement, [acknowledged.map(({ id }) => id)]);
  return acknowledged.length - new Set(rows.map(({ id }) => id)).size;
}

async function countUnfinishedTasks(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    "select count(*) as count from tasks where status in ('queued', 'running')",
  );
  return Number(rows[0]?.count);
}

await runCluster();
