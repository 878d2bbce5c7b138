import { checkEverything } from './checks/check-everything.ts';
import { buildCitus } from './citus.ts';
import { listDistributedEvents, startDistributed, toSettings } from './distributed.ts';
import { runEvents } from './events.ts';
import { createSender } from './load/send.ts';
import { startWholeLoad } from './load/whole-load.ts';
import { registerOrganisations, registerReaders } from './operator.ts';
import type { Workshop } from './programs.ts';

/**
 * Starts a coordinator of Citus and two workers, two nodes and two parts of the index; kills one process after the other while clients write, and
 * checks that nothing that was acknowledged is lost and that everything is consistent.
 */
export async function runDistributed(
  cleaning: AsyncDisposableStack,
  workshop: Workshop,
  [source, folder]: readonly string[],
): Promise<void> {
  if (!source || !folder) throw new Error('usage: npm run cluster -- citus SOURCE FOLDER');
  const cluster = await startDistributed(cleaning, workshop, await buildCitus(source, folder));
  const { servers, nodes, parts, operator } = cluster;
  const send = createSender(cluster.urls);
  const mailFolders = [...nodes, ...parts].map(({ mailFolder }) => mailFolder);
  const creating = await registerOrganisations(send, 2);
  const reading = await registerReaders(send, operator, mailFolders, 2);
  const load = startWholeLoad(send, { creating, reading }, mailFolders);
  await load.waitForWrites();
  await runEvents(listDistributedEvents(cluster), load);
  await load.stop();
  const settings = servers.map(toSettings);
  await checkEverything(load, { settings: settings[0]!, servers: settings, operator });
}
