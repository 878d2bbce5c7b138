import { Refusal } from '#lib/refusal.ts';

/**
 * Runs checks of several fields that do not depend on each other, and names all their faults in one refusal, so that nobody corrects one field only
 * to learn of the next. It has the code of the first fault.
 *
 * @throws Refusal with the errors of every check that throws one. Any other error is thrown as it is.
 */
export function runAllChecks(...checks: readonly (() => void)[]): void {
  const merged = mergeRefusals(checks.flatMap(catchRefusal));
  if (merged !== undefined) throw merged;
}

/** Makes one refusal of several, with the code of the first and the errors of all; undefined if there are none. */
export function mergeRefusals(refusals: readonly Refusal[]): Refusal | undefined {
  const [first, ...others] = refusals;
  if (first === undefined || others.length === 0) return first;
  return new Refusal(first.code, {
    ...first.extras,
    detail: refusals.map(({ message }) => message).join('; '),
    errors: refusals.flatMap(({ extras }) => extras.errors ?? []),
  });
}

function catchRefusal(check: () => void): readonly Refusal[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof Refusal) return [error];
    throw error;
  }
}
