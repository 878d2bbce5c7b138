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
  const entries = Object.entries<Subject>(subjects);
  const costs = await measureLeastCosts(
    Object.fromEntries(entries.map(([name, subject]) => [name, async () => ({ cost: await subject() })])),
    rounds,
  );
  // Object.entries and Object.fromEntries lose the names.
  return Object.fromEntries(entries.map(([name]) => [name, costs[name]!.cost])) as Record<Name, number>;
}

/** Like {@link measureLeast}, for subjects with several costs. Each cost is the least by itself. */
export async function measureLeastCosts<Name extends string, Cost extends string>(
  subjects: Readonly<Record<Name, () => Promise<Readonly<Record<Cost, number>>>>>,
  rounds: number,
): Promise<Readonly<Record<Name, Readonly<Record<Cost, number>>>>> {
  // Object.keys, Object.entries and Object.fromEntries lose the names.
  const names = Object.keys(subjects) as Name[];
  const least = new Map<Name, Readonly<Record<string, number>>>();
  for (let round = 0; round < rounds; round++) {
    for (let offset = 0; offset < names.length; offset++) {
      const name = names[(round + offset) % names.length]!;
      const before = least.get(name);
      const costs = Object.entries<number>(await subjects[name]());
      least.set(
        name,
        Object.fromEntries(costs.map(([cost, value]) => [cost, Math.min(before?.[cost] ?? Infinity, value)])),
      );
    }
  }
  return Object.fromEntries(least) as Record<Name, Record<Cost, number>>;
}

/** Measures the milliseconds of wall-clock time that `work` takes. */
export async function measureTime(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
