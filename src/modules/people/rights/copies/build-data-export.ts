import { task } from '#platform/queue/task.ts';
import { buildArchive } from './archive.ts';
import { collectPersonalData } from './collect-personal-data.ts';
import { archive_bytes_max } from '../rules.ts';
import { findDataExport, finishExport } from '../store.ts';

/** Builds the ZIP of a data export that a member started. */
export const buildDataExport = task<{ readonly data_export_id: string; readonly member_id: string }>({
  name: 'rights.buildDataExport',
  retry_seconds: [5, 60],
  parallel: 2,
  group_by: ({ member_id }) => member_id,
  run: async ({ database, config, personalData, now }, { data_export_id, member_id }) => {
    const dataExport = await findDataExport(database, data_export_id);
    if (!dataExport) return undefined;
    if (!dataExport.completed_at) {
      const sections = await database.transaction((tx) => collectPersonalData(personalData, tx, member_id), {
        isolation: 'repeatable read',
      });
      const exported_at = now();
      const archive = await buildArchive(sections, { member_id, exported_at, bytes_max: archive_bytes_max });
      await finishExport(database, data_export_id, archive, exported_at);
    }
    return { result_url: `${config.publicUrl}/api/v1/members/me/data-export/${dataExport.task_id}` };
  },
});
