/** Something to measure: runs one short slice, and says what it cost. */
export type Subject = () => number | Promise<number>;

/**
 * Measures subjects against each other on a machine that others use too: short slices in turn, the order moved on by one each round, and
 * of each subject the least. What others do can only add to a cost, and the turns give every subject the same quiet moments.
 */
export async function measureLeast<Name extends string>(
  subjects: Readonly<Record<Name, Subject>>,
  rounds: number,
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(subjects) as Name[];
  const costs = new Map<Name, number>();
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length]!;
      costs.set(name, Math.min(costs.get(name) ?? Infinity, await subjects[name]()));
    }
  }
  return Object.fromEntries(costs) as Record<Name, number>;
}

/** Milliseconds that `work` takes by the wall clock. */
export async function measureTime(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
