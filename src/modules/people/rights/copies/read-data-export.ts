import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { file, operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { findTask } from '#platform/queue/tracked-tasks.ts';
import { computeOldestExportTime } from '../rules.ts';
import { findArchive } from '../store.ts';

export const readDataExport = operation({
  name: 'rights.readDataExport',
  summary: 'Downloads a finished data export as a ZIP. It is available for seven days.',
  who: ['member'],
  input: Type.Object({ task_id: uuid }),
  output: { 200: file('application/zip') },
  refuses: ['data_export_not_found', 'data_export_running'],
  run: async ({ database, caller, now }, { task_id }) => {
    const { member_id, user_id } = caller;
    const since = computeOldestExportTime(now());
    const dataExport = await findArchive(database, { task_id, member_id, since });
    if (!dataExport) throw new Refusal('data_export_not_found');
    const { archive, requested_at } = dataExport;
    if (archive)
      return {
        filename: `tessera-data-${requested_at.toISOString().slice(0, 10)}.zip`,
        content: archive,
      };
    const task = await findTask(database, { id: task_id, user_id });
    if (task?.status === 'failed')
      throw new Refusal('data_export_not_found', { detail: 'This export failed. Start another one.' });
    throw new Refusal('data_export_running', { headers: { 'retry-after': '5' } });
  },
});
