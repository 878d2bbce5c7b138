import { nil_uuid } from '#lib/nil-uuid.ts';
import type { ProgressOutput } from '#lib/progress-bar.ts';
import { listActiveJobs } from '#modules/matching/jobs';
import {
  compareVersion,
  sumWordChanges,
  type RemeasuredMembers,
  type WordPreview,
} from '#modules/measurement/traits';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { listWeights } from './compare-tiers.ts';
import { countMoves, type TierMoves } from './count-moves.ts';
import { findLivePolicy } from './store.ts';

/** What a version of our own bank would change for members. */
export type ItemsPreview = WordPreview & { readonly tiers: TierMoves };

const jobs_max = 64;

/**
 * Says what a version would change for members before it is used, as {@link compareVersion} does, and how many of their tiers for active jobs would move
 * under the live policy. It asks of no job whether the member may have it. Stores nothing.
 *
 * @throws OperatorError where {@link compareVersion} does.
 */
export async function describeVersionChange(
  platform: { readonly database: Reader } & Pick<Services, 'memory'>,
  input: Readonly<Record<string, string>>,
  output: ProgressOutput = process.stderr,
): Promise<ItemsPreview> {
  const { preview, ...remeasured } = await compareVersion(platform, input, output);
  return { ...preview, tiers: await compareMembers(platform.database, remeasured) };
}

async function compareMembers(
  db: Reader,
  { vectors, norms }: Pick<RemeasuredMembers, 'vectors' | 'norms'>,
): Promise<TierMoves> {
  const [jobs, policy] = [await listActiveJobs(db, nil_uuid, jobs_max), await findLivePolicy(db)];
  const rank = (when: 'before' | 'after') => ({
    vectors: vectors.map((each) => each[when]),
    weights: listWeights(jobs, policy, norms[when]),
  });
  return countMoves(rank('before'), rank('after'));
}

/** Sums the changes over all traits; `--json` prints them by trait. */
function summarisePreview({ traits, tiers, ...preview }: ItemsPreview) {
  const { jobs, kept, better, worse } = tiers;
  return {
    ...preview,
    ...sumWordChanges(traits),
    tiers: `of ${kept + better + worse} tiers of these members for ${jobs} active jobs, ${better} would be better and ${worse} worse`,
  };
}

/** The command that previews a version. */
export const previewCommand = { describeVersionChange, summarisePreview };
