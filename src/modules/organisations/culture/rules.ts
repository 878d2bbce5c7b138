/**
 * The fewest respondents behind a profile, and behind the difference between two profiles. With fewer, a reader who knows the opinions of
 * the others could compute the answers of one respondent; five is the usual minimum of employee surveys.
 */
export const minimum_respondents = 5;

/**
 * How many more users must answer before the next version. Only users whose answers are in no version yet count: if every answer made a
 * version, the difference between two versions would reveal one respondent's answers exactly.
 */
export function countMissingRespondents(unpublished: number): number {
  return Math.max(0, minimum_respondents - unpublished);
}
