import { loadTraitNorms } from '#modules/measurement/traits';
import { matchJobs, type JobMatch } from '#modules/matching/engine';
import { row, type OriginHandler, type OriginRow } from '#platform/http/origin-routes.ts';
import type { Platform } from '#platform/platform.ts';
import { computeIndexVersion } from '../index/index-version.ts';
import { getMatchIndex } from '../index/match-index.ts';
import { sealAnswer } from './part-answer.ts';
import { part_path } from './part-path.ts';
import { question_bytes_max, unsealQuestion, type PartQuestion } from './part-question.ts';
import { PartError, type PartFault } from './select-parts.ts';

/**
 * Computes the lists of jobs over the members of the part that this process holds, with everything that was committed before the call.
 *
 * @throws PartError if the question is for another part, version or vectors, or the part is still being built.
 */
export async function answerQuestion(
  platform: Platform,
  { version, shard, shards, vectors, limit, jobs }: PartQuestion,
): Promise<readonly (readonly JobMatch[])[]> {
  const part = platform.config.indexShard;
  if (part?.shard !== shard || part.shards !== shards) throw new PartError('other_part');
  if (version !== (await computeIndexVersion())) throw new PartError('other_version');
  const index = getMatchIndex(platform);
  // Building it takes minutes, and the caller would wait.
  if (index.readState().readiness === 'building') throw new PartError('building');
  await index.refresh();
  const own = index.getVersion();
  if ((own ?? null) !== vectors) throw new PartError('other_vectors');
  const norms = await loadTraitNorms(platform, platform.database, own);
  return matchJobs(
    index,
    jobs.map((job) => ({ ...job, norms })),
    { limit },
  );
}

/** Answers a process that computes jobs, on the internal port. Only the master key opens the question and the answer. */
const servePart: OriginHandler = async (platform, { body }) => {
  const question = unsealQuestion(platform.secrets, body);
  if (!question) {
    platform.log.warn('a question to the match index was refused: it was not made with this master key');
    return refuse(401, 'unauthenticated');
  }
  try {
    const lists = await answerQuestion(platform, question);
    const content = await sealAnswer(platform.secrets, question.id, lists);
    return { headers: { 'content-type': 'application/octet-stream' }, content };
  } catch (error) {
    if (error instanceof PartError) return refuse(503, error.code);
    throw error;
  }
};

const refuse = (status: number, code: PartFault) => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  content: { code },
});

/** The row of the table of the internal port. */
export const partRow: OriginRow = row('POST', part_path, 'operator', 'unlimited', servePart, {
  body: 'bytes',
  body_bytes_max: question_bytes_max,
});
