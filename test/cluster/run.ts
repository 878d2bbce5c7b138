import { openWorkshop, type Workshop } from './programs.ts';
import { runDistributed } from './run-distributed.ts';
import { runFailover } from './run-failover.ts';

/**
 * Breaks the parts of a cluster on loopback one after another while clients write, prints how long writes paused, and checks that nothing that was acknowledged is
 * lost: `npm run cluster` runs the recipe for high availability, `npm run cluster -- citus SOURCE FOLDER` a distributed database and an index in parts. SOURCE is a
 * clone of Citus or its URL, and FOLDER receives its build. The exit code is 1 if anything is missing, inconsistent, or does not recover.
 */
async function runCluster([mode, ...words]: readonly string[]): Promise<void> {
  const { folder, remove } = await runInWorkshop(mode, words);
  if (process.exitCode) console.error(`The logs are in ${folder}.`);
  else await remove();
}

async function runInWorkshop(mode: string | undefined, words: readonly string[]): Promise<Workshop> {
  await using cleaning = new AsyncDisposableStack();
  const workshop = await openWorkshop(cleaning);
  console.error(`The logs are in ${workshop.folder} until the end.`);
  if (mode === 'citus') await runDistributed(cleaning, workshop, words);
  else await runFailover(cleaning, workshop);
  return workshop;
}

await runCluster(process.argv.slice(2));
