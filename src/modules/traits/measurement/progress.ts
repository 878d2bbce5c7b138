import { stoppingRule } from './next-item.ts';

export type Progress = {
  readonly answered: number;
  readonly estimated_total: number;
  readonly percent: number;
};

/**
 * How far an assessment has come. Every answer counts the same against the usual number of items, so that the percentage never goes
 * back, as it would if the estimate followed the posterior; it is 100 exactly when nothing is left to ask.
 */
export function computeProgress(answered: number, complete: boolean): Progress {
  if (complete) return { answered, estimated_total: answered, percent: 100 };
  return {
    answered,
    estimated_total: Math.min(stoppingRule.most_items, Math.max(usualTotal, answered + 1)),
    percent: Math.min(99, Math.floor((100 * answered) / usualTotal)),
  };
}

/** The median in the simulation of `measurement-gate.test.ts`; nine of ten assessments end between 104 and 120 items. */
export const usualTotal = 111;
