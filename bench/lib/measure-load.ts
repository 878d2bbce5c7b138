import type { ChildProcess } from 'node:child_process';
import { receiveDone, receiveMessage, requestUsage } from './child.ts';
import type { LoadSetup } from './load-generator.ts';
import { addDifferences, listDescendants, readProcessorTimes } from './processor-time.ts';
import type { Service } from './service.ts';

/** The processor time of one request, in the server and in the database, in microseconds. */
export type Costs = { readonly node_us: number; readonly database_us: number };

/** Measures the processor time of one of the requests. The database is that of the service, whichever server replies. */
export async function measureLoad(
  { service, generator }: { readonly service: Service; readonly generator: ChildProcess },
  { child, port }: Pick<Service, 'child' | 'port'>,
  requests: readonly string[],
): Promise<Costs> {
  generator.send({ requests: { these: requests } } satisfies LoadSetup);
  await receiveMessage(generator);
  const timesBefore = await readProcessorTimes(await listDescendants(service.child.pid!));
  const before = await requestUsage(child);
  generator.send({ subject: 'these', port, count: requests.length });
  await receiveDone(generator);
  const after = await requestUsage(child);
  const timesAfter = await readProcessorTimes(await listDescendants(service.child.pid!));
  return {
    node_us: (after.cpu_us - before.cpu_us) / requests.length,
    database_us: addDifferences(timesBefore, timesAfter) / requests.length,
  };
}
