import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { file, operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { findTask } from '#platform/queue/tracked-tasks.ts';
import { computeOldestExportTime } from '../rules.ts';
import { findArchive } from '../store.ts';

export const readDataExport = operation({
  name: 'rights.readDataExport',
  summary: 'The copy of the caller’s data that a task has made: a ZIP, for seven days.',
  who: ['member'],
  input: Type.Object({ task_id: uuid }),
  output: { 200: file('application/zip') },
  refuses: ['data_export_not_found', 'data_export_running'],
  run: async ({ database, caller, now }, { task_id }) => {
    const { member_id, user_id } = caller;
    const found = await findArchive(database, { task_id, member_id, since: computeOldestExportTime(now()) });
    if (!found) throw new Refusal('data_export_not_found');
    const { archive, requested_at } = found;
    if (archive)
      return {
        filename: `tessera-data-${requested_at.toISOString().slice(0, 10)}.zip`,
        content: archive,
      };
    const task = await findTask(database, { id: task_id, user_id });
    if (task?.status === 'failed') throw new Refusal('data_export_not_found', { detail: failed });
    throw new Refusal('data_export_running', { headers: { 'retry-after': '5' } });
  },
});

const failed = 'This export failed: ask for another one.';
