/**
 * How many people a profile, and the difference between two profiles, must speak about. With fewer, somebody who knows what the others
 * think could compute what one person answered; five is the usual floor of employee surveys.
 */
export const minimum_respondents = 5;

/**
 * How many more people must answer before the next version. Only people whose answers stand in no version yet count: if each answer
 * made a version, subtracting one version from the next would tell that one person's answers exactly.
 */
export function countMissingRespondents(unpublished: number): number {
  return Math.max(0, minimum_respondents - unpublished);
}
