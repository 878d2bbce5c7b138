import { deleteGrantArtifacts } from './store-artifacts.ts';
import { task } from '#platform/queue/task.ts';

/** Deletes the codes and refresh tokens of a grant that has ended. They are refused already, because every use looks up the grant. */
export const removeTokens = task<{ readonly grant_id: string }>({
  name: 'agents.removeTokens',
  retry_seconds: [10, 60, 600],
  run: async ({ database }, { grant_id }) => deleteGrantArtifacts(database, grant_id),
});
