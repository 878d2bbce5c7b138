import { checkEverything } from './checks/check-everything.ts';
import { startDatabases, type Databases } from './databases.ts';
import { runEvents, type Event } from './events.ts';
import { createSender } from './load/send.ts';
import { startWholeLoad } from './load/whole-load.ts';
import { startCluster, type Cluster } from './nodes.ts';
import { createOperator, registerOrganisations, registerReaders } from './operator.ts';
import { waitFor, type Workshop } from './programs.ts';

/**
 * Starts the recipe "High availability" of docs/operating.md on loopback: three members of etcd, three hosts with Patroni and PostgreSQL,
 * HAProxy, Redis and two Tessera nodes. Breaks its parts one after another while clients write, and checks that nothing that was acknowledged is lost.
 */
export async function runFailover(cleaning: AsyncDisposableStack, workshop: Workshop): Promise<void> {
  const databases = await startDatabases(cleaning, workshop);
  const cluster = await startCluster(workshop, databases);
  await waitFor('HAProxy', 60, async () => (await fetch(`${cluster.url}/health`)).ok);
  const send = createSender([cluster.url]);
  const operator = createOperator(cluster.environment);
  const mailFolders = cluster.nodes.map(({ mailFolder }) => mailFolder);
  const creating = await registerOrganisations(send, 2);
  const reading = await registerReaders(send, operator, mailFolders, 2);
  const load = startWholeLoad(send, { creating, reading }, mailFolders);
  await load.waitForWrites();
  await runEvents(listEvents(databases, cluster), load);
  await load.stop();
  await checkEverything(load, { settings: cluster.settings, servers: [], operator });
}

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
        await waitFor('another primary', 120, databases.findPrimary);
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
