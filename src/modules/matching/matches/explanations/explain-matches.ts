import { task } from '#platform/queue/task.ts';
import { writeExplanation } from './generate-explanation.ts';

type Data = {
  readonly matches: readonly { readonly match_id: string; readonly member_id: string }[];
  readonly job_id: string;
  readonly org_id: string;
};

/** Explains the matches of a page of a table, one after the other, and stores the explanations. */
export const explainMatches = task<Data>({
  name: 'matches.explainMatches',
  retry_seconds: [5, 30, 120],
  parallel: 2,
  group_by: ({ org_id }) => org_id,
  run: async (context, { job_id, matches }) => {
    let done = 0;
    for (const { match_id, member_id } of matches) {
      await writeExplanation(context, match_id, member_id);
      await context.reportProgress(++done, matches.length);
    }
    return { result_url: `${context.config.publicUrl}/api/v1/orgs/me/jobs/${job_id}/table` };
  },
});
