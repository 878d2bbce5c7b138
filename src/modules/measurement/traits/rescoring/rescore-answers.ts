import { recordAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { resolveVersionInUse } from '../parameters/parameters-in-use.ts';
import { lockMeasurements, countMeasuredMembers, lockUses } from '../parameters/store.ts';
import { vectorsSwitched } from '../events.ts';
import { measureStoredAnswers } from './measure-stored-answers.ts';
import {
  advanceRescoring,
  endOpenRescoring,
  findListedVersion,
  findOtherVersion,
  insertRescoring,
  insertSwitch,
  listMeasuredMembers,
  lockOpenRescoring,
} from './store.ts';

/**
 * Scores all stored answers with the version of the parameters in use, if lists still use another version, and then switches all lists to
 * the new vectors at once. Until then the new vectors have no effect.
 *
 * The members are scored page by page in order of id. Progress is stored with each page, so that a run continues where another one
 * stopped. It starts when a version is put into use, and every hour, so that a new version of the program with other parameters has the
 * same effect. Assessments that are completed meanwhile are measured with both versions.
 */
export const rescoreAnswers = task({
  name: 'traits.rescoreAnswers',
  retry_seconds: [60, 600],
  every: '7 * * * *',
  merge_by: () => 'all',
  run: async (context) => {
    if (!(await context.database.transaction((tx) => beginRescoring(context, tx)))) return;
    let isMore = true;
    while (isMore) {
      context.signal.throwIfAborted();
      isMore = await context.database.transaction((tx) => rescoreNextPage(context, tx));
    }
    context.signal.throwIfAborted();
    await context.database.transaction((tx) => endRescoring(context, tx));
  },
});

/** Small enough that a page blocks the completion of assessments for a fraction of a second. */
const page_members = 200;

/** Opens a run for the version in use, or continues the open one. @returns whether there is anything to do. */
async function beginRescoring(context: TaskContext, tx: Transaction): Promise<boolean> {
  await lockUses(tx);
  const wanted = await resolveVersionInUse(tx);
  const listed = await ensureListedVersion(context, tx, wanted);
  const open = await lockOpenRescoring(tx);
  if (open && open.parameter_version === wanted && wanted !== listed) return true;
  if (open) await endOpenRescoring(tx, context.now());
  if (wanted === listed) return false;
  const total = await countMeasuredMembers(tx);
  await insertRescoring(tx, { parameter_version: wanted, total, now: context.now() });
  return true;
}

/** Returns the version that lists use. The first time, it is the one that the vectors have. */
export async function ensureListedVersion(
  { now }: Pick<TaskContext, 'now'>,
  tx: Transaction,
  wanted: string,
): Promise<string> {
  const listed = await findListedVersion(tx);
  if (listed !== undefined) return listed;
  const version = (await findOtherVersion(tx, wanted)) ?? wanted;
  await insertSwitch(tx, version, now());
  return version;
}

/** Scores the next page. @returns whether there may be another one. */
async function rescoreNextPage(context: TaskContext, tx: Transaction): Promise<boolean> {
  await lockMeasurements(tx);
  const open = await lockOpenRescoring(tx);
  if (!open || open.parameter_version !== (await resolveVersionInUse(tx))) return false;
  const member_ids = await listMeasuredMembers(tx, open.after_member, page_members);
  if (member_ids.length > 0) {
    const { left_out } = await measureStoredAnswers(context, tx, open.parameter_version, member_ids);
    const after_member = member_ids.at(-1)!;
    await advanceRescoring(tx, open, { after_member, done: member_ids.length, left_out });
  }
  return member_ids.length === page_members;
}

/** Switches the lists, unless another version was put into use meanwhile: a task of its own is queued then. */
async function endRescoring({ now, queue }: TaskContext, tx: Transaction): Promise<void> {
  await lockUses(tx);
  const open = await lockOpenRescoring(tx);
  if (!open || open.parameter_version !== (await resolveVersionInUse(tx))) return;
  const { parameter_version, done, left_out } = open;
  await endOpenRescoring(tx, now());
  await insertSwitch(tx, parameter_version, now());
  await recordAudit(tx, {
    now: now(),
    actor: null,
    action: 'traits.rescored',
    detail: { version: parameter_version, members: done, left_out },
  });
  await queue.emit(tx, vectorsSwitched, { parameter_version });
}
