/**
 * The stages of an assessment. The first ends with a preliminary result after {@link first_stage_items} items. The deepening is optional
 * and updates the result after every {@link items_per_result} further items, until the stopping rule ends it.
 */
export const assessmentStages = ['first', 'deepening', 'complete'] as const;

export type AssessmentStage = (typeof assessmentStages)[number];

/** The number of items, statements and situations, of the first stage. */
export const first_stage_items = 50;

/** The number of items of the deepening after which the result is updated. */
export const items_per_result = 15;

/**
 * Says which result is due after an answer: the one of the first stage, an update during the deepening, or the complete one; undefined if
 * none is. `counted` is the number of answers that the latest result is based on.
 */
export function findDueResult(
  answered: number,
  counted: number,
  ended: boolean,
): Exclude<AssessmentStage, 'first'> | undefined {
  if (ended) return 'complete';
  const due = counted === 0 ? first_stage_items : counted + items_per_result;
  return answered >= due ? 'deepening' : undefined;
}
