import { Refusal } from './refusal.ts';

/**
 * Runs checks of several fields that do not depend on each other, and names all their faults in one refusal, so that nobody corrects one field only
 * to learn of the next. It has the code of the first fault.
 *
 * @throws Refusal with the errors of every check that throws one. Any other error is thrown as it is.
 */
export function runAllChecks(...checks: readonly (() => void)[]): void {
  const [first, ...others] = checks.flatMap(catchRefusal);
  if (first === undefined) return;
  if (others.length === 0) throw first;
  const all = [first, ...others];
  const detail = all.map(({ message }) => message).join('; ');
  throw new Refusal(first.code, {
    ...first.extras,
    detail,
    errors: all.flatMap(({ extras }) => extras.errors ?? []),
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
