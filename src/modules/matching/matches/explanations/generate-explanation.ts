import { lockDeployedMember } from '#modules/people/members';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { lockMatch } from '../store.ts';
import { collectSources } from './explanation-sources.ts';
import { explainMatch } from './explanation.ts';
import { upsertExplanation } from './store.ts';

type Data = {
  readonly match_id: string;
  readonly member_id: string;
  /** The organisation, the member or the administrator who asked first. */
  readonly reader_id: string;
};

/** Explains a match and stores the explanation. Does nothing if the member is no longer deployed. */
export const generateExplanation = task<Data>({
  name: 'matches.generateExplanation',
  retry_seconds: [5, 30, 120],
  parallel: 2,
  group_by: ({ reader_id }) => reader_id,
  merge_by: ({ match_id }) => match_id,
  run: async (context, { match_id, member_id }) => {
    await writeExplanation(context, match_id, member_id);
    return { result_url: `${context.config.publicUrl}/api/v1/matches/${match_id}/explanation` };
  },
});

/** Explains a match and stores the explanation, unless the member is no longer deployed or the match is gone. */
export function writeExplanation(
  { database, now }: Pick<TaskContext, 'database' | 'now'>,
  match_id: string,
  member_id: string,
): Promise<void> {
  return database.transaction(async (tx) => {
    // The lock lasts until the transaction ends. Without it, a concurrent withdrawal of consent would leave an explanation behind.
    if (!(await lockDeployedMember(tx, member_id))) return;
    // Nor is the match deleted meanwhile by a computation.
    if (!(await lockMatch(tx, match_id))) return;
    const sources = await collectSources(tx, match_id);
    if (!sources?.mean || !sources.variance) return;
    const { basis, mean, variance, vector_provisional, values, culture } = sources;
    const priorities = { job: sources.trait_priorities, computed: sources.computed_priorities };
    const member = { mean, variance, provisional: vector_provisional, values };
    const explanation = explainMatch(member, priorities, culture);
    await upsertExplanation(tx, match_id, { basis, explanation, now: now() });
  });
}
