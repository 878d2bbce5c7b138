import { expect } from 'vitest';
import { OperatorError } from '#platform/command-line.ts';

/** Waits for work that is refused. @returns the message of the refusal, which is one line. */
export async function catchOperatorError(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OperatorError)) throw new Error('the work was not refused', { cause: error });
  expect(error.message).not.toContain('\n');
  return error.message;
}
