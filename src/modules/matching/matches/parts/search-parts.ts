import { createTurnEnder } from '#lib/concurrency/create-turn-ender.ts';
import { listShortParts, mergeShortlists, shortlistLimits, type JobMatch } from '#modules/matching/engine';
import type { AskedJob } from './part-question.ts';

type Lists = readonly (readonly JobMatch[])[];

/** Asks a part, counted from 0, for the lists of jobs with a limit. */
type Ask = (part: number, jobs: readonly AskedJob[], limit: number) => Promise<Lists>;

/**
 * Finds the lists of jobs over all members by asking each of several parts for its own, all at once. Each part computes a list of about its
 * share; one whose share is larger is asked again for as many as the whole list may have. The merged lists are exact.
 */
export async function searchParts(parts: number, jobs: readonly AskedJob[], ask: Ask): Promise<Lists> {
  const limit = computeShare(parts);
  const places = Array.from({ length: parts }, (_, part) => part);
  const answers = await Promise.all(places.map((part) => ask(part, jobs, limit)));
  const byJob = jobs.map((_, job) => answers.map((lists) => lists[job]!));
  const merged = await mapInTurns(byJob, (lists) => mergeShortlists(lists));
  if (limit >= shortlistLimits.matches) return merged;
  const short = await mapInTurns(byJob, (lists, job) => listShortParts(merged[job]!, lists, limit));
  const askAgain = async (part: number) => {
    const again = short.flatMap((shortParts, job) => (shortParts.includes(part) ? job : []));
    if (again.length === 0) return;
    const lists = await ask(
      part,
      again.map((job) => jobs[job]!),
      shortlistLimits.matches,
    );
    for (const [index, job] of again.entries()) byJob[job]![part] = lists[index]!;
  };
  await Promise.all(places.map(askAgain));
  return mapInTurns(merged, (list, job) => (short[job]!.length === 0 ? list : mergeShortlists(byJob[job]!)));
}

/**
 * Computes how many matches of a whole list one of several parts has, except once in some ten thousand lists: at most four standard deviations
 * more than its share, because members belong to parts at random.
 */
function computeShare(parts: number): number {
  const { matches } = shortlistLimits;
  const deviation = Math.sqrt((matches / parts) * (1 - 1 / parts));
  return Math.ceil(matches / parts + 4 * deviation);
}

async function mapInTurns<Item, Result>(
  items: readonly Item[],
  compute: (item: Item, index: number) => Result,
): Promise<readonly Result[]> {
  const endLongTurn = createTurnEnder();
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    await endLongTurn();
    results.push(compute(item, index));
  }
  return results;
}
