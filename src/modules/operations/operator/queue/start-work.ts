import { Type } from 'typebox';
import { checkBooksNightly, keepCheckpoints } from '#modules/income/books';
import { learnFromOutcomes } from '#modules/matching/learning';
import { recordCallerAudit } from '#modules/operations/audit';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import type { Platform, Task } from '#platform/platform.ts';
import type { Transaction } from '#platform/database/database.ts';
import { closedObject, field } from '#platform/schema.ts';
import { drillNightly } from '../archive/drill-nightly.ts';

/** What runs every night, and can be started by hand. */
export const nightlyWork = ['learning', 'checkpoints', 'books', 'drill'] as const;
type Work = (typeof nightlyWork)[number];

const tasks: Readonly<Record<Exclude<Work, 'drill'>, Task>> = {
  learning: learnFromOutcomes,
  checkpoints: keepCheckpoints,
  books: checkBooksNightly,
};

/** Queues nightly work now. @throws Refusal if it is a drill and there is no archive. */
export async function queueWork(
  { queue, config }: Pick<Platform, 'queue' | 'config'>,
  tx: Transaction,
  work: Work,
): Promise<void> {
  if (work !== 'drill') return queue.send(tx, tasks[work] as Task<object>, {});
  if (!config.archive) throw new Refusal('archive_not_configured');
  return queue.send(tx, drillNightly, { by_hand: true });
}

export const startWork = operation({
  name: 'operator.startWork',
  title: 'Start nightly work now',
  summary:
    'Queues what otherwise runs at night: learning from outcomes, the checkpoints of the books, the check of the books, or a drill that proves the archive. A worker begins within seconds.',
  who: ['platform_admin'],
  input: closedObject({
    work: field(Type.Enum([...nightlyWork]), 'Which work.', 'drill'),
  }),
  output: {
    202: closedObject({ work: field(Type.Enum([...nightlyWork]), 'The work that was queued.', 'drill') }),
  },
  refuses: ['archive_not_configured'],
  run: (context, { work }) =>
    context.transaction(async (tx) => {
      await queueWork(context, tx, work);
      await recordCallerAudit(context, tx, { action: 'work.started', detail: { task: work } });
      return { work };
    }),
});
