import { randomUUID } from 'node:crypto';
import type { JobMatch } from '#modules/matching/engine';
import { fetchFromProcess } from '#platform/outbound/fetch-configured.ts';
import { OutboundError } from '#platform/outbound/outbound.ts';
import type { TaskContext } from '#platform/queue/task.ts';
import { Postponement } from '#platform/queue/postponement.ts';
import { getIndexReporter } from '../index/report-index.ts';
import { answerQuestion } from './answer-question.ts';
import { computeAnswerBytes, unsealAnswer } from './part-answer.ts';
import { part_path } from './part-path.ts';
import { sealQuestion, type PartQuestion } from './part-question.ts';
import { describeFault, PartError, type IndexPart } from './select-parts.ts';
import { searchParts } from './search-parts.ts';

/** What all parts are asked. */
export type SharedQuestion = Pick<PartQuestion, 'version' | 'vectors' | 'jobs'>;

/**
 * Asks all parts for the lists of jobs, and merges them.
 *
 * @throws Postponement that names the part, if one of them does not answer. Nothing is computed from the others alone.
 */
export async function askParts(
  context: TaskContext,
  parts: readonly IndexPart[],
  shared: SharedQuestion,
): Promise<readonly (readonly JobMatch[])[]> {
  const ending = new AbortController();
  const signal = AbortSignal.any([context.signal, ending.signal]);
  try {
    return await searchParts(parts.length, shared.jobs, (place, jobs, limit) =>
      askPart(context, parts[place]!, { ...shared, jobs: [...jobs], limit }, signal),
    );
  } finally {
    // If one of them has failed, nobody waits for the others.
    ending.abort();
  }
}

type AskedQuestion = SharedQuestion & Pick<PartQuestion, 'limit'>;

async function askPart(
  context: TaskContext,
  part: IndexPart,
  asked: AskedQuestion,
  signal: AbortSignal,
): Promise<readonly (readonly JobMatch[])[]> {
  const { shard, shards } = part;
  const question = { ...asked, id: randomUUID(), shard, shards };
  const isOwn = part.id === getIndexReporter(context).id;
  const reject = (code: string): never => {
    throw new Postponement(describeFault(part, code));
  };
  try {
    const lists = await (isOwn
      ? answerQuestion(context, question)
      : fetchAnswer(context, part, question, signal));
    return typeof lists === 'string' ? reject(lists) : lists;
  } catch (error) {
    if (error instanceof PartError) return reject(error.code);
    if (error instanceof OutboundError) return reject(error.fault);
    throw error;
  }
}

/** Longer than a pass over a whole 32-bit memory takes, behind those of other processes. */
const answer_timeout_ms = 60_000;

/** Asks another process. @returns its lists, or the code of its refusal. */
async function fetchAnswer(
  { secrets }: TaskContext,
  { address }: IndexPart,
  question: PartQuestion,
  signal: AbortSignal,
): Promise<readonly (readonly JobMatch[])[] | string> {
  const { status, body } = await fetchFromProcess(`${address}${part_path}`, {
    body: sealQuestion(secrets, question),
    timeout_ms: answer_timeout_ms,
    max_bytes: computeAnswerBytes(question.jobs.length),
    signal,
  });
  if (status !== 200) return readCode(body) ?? `status ${status}`;
  const lists = await unsealAnswer(secrets, question.id, body).catch(() => undefined);
  return lists?.length === question.jobs.length ? lists : 'unreadable';
}

function readCode(body: Buffer): string | undefined {
  try {
    const { code } = JSON.parse(body.toString('utf8')) as { readonly code?: unknown };
    return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : undefined;
  } catch {
    return undefined;
  }
}
