import { lockDeployedMembers } from '#modules/members';
import { task } from '#platform/queue/task.ts';
import { explainMatch } from './explanation.ts';
import { collectSources } from './explanation-sources.ts';
import { upsertExplanation } from './store.ts';

/** Explains a match and keeps it, for whoever asked; nothing about a member who is not deployed any more. */
export const generateExplanation = task<{ readonly match_id: string; readonly member_id: string }>({
  name: 'matching.generateExplanation',
  retry_seconds: [5, 30, 120],
  run: async ({ config, database, now }, { match_id, member_id }) => {
    await database.transaction(async (tx) => {
      // Held until the end, or a withdrawal of this moment would leave an explanation behind.
      if (!(await lockDeployedMembers(tx, [member_id])).has(member_id)) return;
      const sources = await collectSources(tx, match_id);
      if (!sources?.mean || !sources.variance) return;
      const { basis, mean, variance, trait_priorities, culture } = sources;
      const explanation = explainMatch({ mean, variance }, trait_priorities, culture);
      await upsertExplanation(tx, match_id, { basis, explanation, now: now() });
    });
    return { result_url: `${config.publicUrl}/api/v1/matches/${match_id}/explanation` };
  },
});
