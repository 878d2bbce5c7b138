import { OperatorError } from '#platform/command-line.ts';

/** The fewest respondents of a calibration, the fewest for parameters that are no longer provisional, and the most that are read. */
export const respondentLimits = { fewest: 100, settled: 500, most: 20_000 } as const;

/** @throws OperatorError for fewer respondents than a calibration needs. */
export function requireRespondents(count: number): void {
  if (count >= respondentLimits.fewest) return;
  throw new OperatorError(
    `a calibration needs at least ${respondentLimits.fewest} respondents, but only ${count} are available`,
  );
}
