import { stoppingRule } from './next-item.ts';

export type Progress = {
  readonly answered: number;
  readonly estimated_total: number;
  readonly percent: number;
};

/**
 * Computes the progress of an assessment. Every answer counts the same against the usual number of items, so that the percentage never
 * decreases, as it could if the estimate followed the posterior. It is 100 exactly if the assessment is complete.
 */
export function computeProgress(answered: number, complete: boolean): Progress {
  if (complete) return { answered, estimated_total: answered, percent: 100 };
  return {
    answered,
    estimated_total: Math.min(stoppingRule.most_items, Math.max(usualTotal, answered + 1)),
    percent: Math.min(99, Math.floor((100 * answered) / usualTotal)),
  };
}

/** The median number of items in the simulation of `measurement-gate.test.ts`. Nine of ten assessments have 104 to 120 items. */
export const usualTotal = 111;
