import { hasConsent } from '#modules/people/consent';
import type { Transaction } from '#platform/database/database.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { resolveVersionInUse } from '../parameters/parameters-in-use.ts';
import { lockMeasurements } from '../parameters/store.ts';
import { traitsMeasured } from '../events.ts';
import { measureStoredAnswers } from './measure-stored-answers.ts';
import { findListedVersion } from './store.ts';

/**
 * Scores the stored answers of a member who is deployed again with the version of the parameters that lists use, and with the one in use. A
 * member who did not consent while all stored answers were scored has no such vector, and would otherwise not be matched.
 */
export const rescoreMember = task<{ readonly member_id: string }>({
  name: 'traits.rescoreMember',
  retry_seconds: [5, 30, 120],
  group_by: ({ member_id }) => member_id,
  merge_by: ({ member_id }) => member_id,
  run: (context, { member_id }) =>
    context.database.transaction((tx) => rescoreDeployed(context, tx, member_id)),
});

async function rescoreDeployed(context: TaskContext, tx: Transaction, member_id: string): Promise<void> {
  const listed = await findListedVersion(tx);
  if (listed === undefined || !(await hasConsent(tx, member_id, 'assessment_data'))) return;
  await lockMeasurements(tx);
  let count = 0;
  for (const version of new Set([listed, await resolveVersionInUse(tx)])) {
    const { stored } = await measureStoredAnswers(context, tx, version, [member_id]);
    count += stored;
  }
  if (count > 0) await context.queue.emit(tx, traitsMeasured, { member_id });
}
