/** Something to measure: runs one short slice, and returns its cost. */
export type Subject = () => number | Promise<number>;

/**
 * Compares subjects on a machine that may be busy: their short slices alternate, each round starts with the next subject, and the result
 * is the least cost of each subject. Other work on the machine can only add to a cost, and alternating gives all subjects the same
 * chances of undisturbed time.
 */
export async function measureLeast<Name extends string>(
  subjects: Readonly<Record<Name, Subject>>,
  rounds: number,
): Promise<Readonly<Record<Name, number>>> {
  // Object.keys and Object.fromEntries lose the names.
  const names = Object.keys(subjects) as Name[];
  const costs = new Map<Name, number>();
  for (let round = 0; round < rounds; round++) {
    for (let offset = 0; offset < names.length; offset++) {
      const name = names[(round + offset) % names.length]!;
      costs.set(name, Math.min(costs.get(name) ?? Infinity, await subjects[name]()));
    }
  }
  return Object.fromEntries(costs) as Record<Name, number>;
}

/** Measures the milliseconds of wall-clock time that `work` takes. */
export async function measureTime(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
