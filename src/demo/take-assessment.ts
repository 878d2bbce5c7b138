import { createProgressBar } from '#lib/progress-bar.ts';
import { drawBelow, drawStandardNormal, type Random } from '@tessera/psychometrics/seeded-random';
import { findItem, isGraded } from '#modules/measurement/traits';
import type { Client, Json } from './client.ts';

const answers_max = 130;

/**
 * Answers one stage of the assessment, or what is left of it, like a member with these traits. The deepening has to be chosen.
 *
 * @param leaning The member's true traits in standard deviations from the mean; 0 unless given.
 * @returns the number of items that were answered so far.
 */
export async function takeAssessment(
  member: Client,
  stage: 'first' | 'deepening',
  leaning: Readonly<Record<string, number>>,
  random: Random,
): Promise<number> {
  const showProgress = createProgressBar('  assessment', process.stdout);
  let state: Json = await member.post('/members/me/assessment', { deepen: stage === 'deepening' });
  while (state.next_item !== null && state.progress.answered < answers_max) {
    const { item_id } = state.next_item;
    state = await member.post('/members/me/assessment/answers', {
      item_id,
      option: chooseOption(item_id, leaning, random),
    });
    showProgress(state.progress.percent, 100);
  }
  return state.progress.answered;
}

function chooseOption(item_id: string, leaning: Readonly<Record<string, number>>, random: Random): number {
  const item = findItem(item_id);
  if (!item || !isGraded(item)) return drawBelow(random, 2);
  const agreement = (leaning[item.trait] ?? 0) * (item.reversed ? -1 : 1) + 0.5 * drawStandardNormal(random);
  return Math.max(0, Math.min(4, Math.round(2 + agreement)));
}
