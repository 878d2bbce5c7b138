const cleanUps: (() => unknown)[] = [];

/** Runs `work` when the current test file ends, even when called inside a test, where vitest ignores `afterAll`. Last in, first out. */
export function cleanUpAfterFile(work: () => unknown): void {
  cleanUps.push(work);
}

/** Runs what the tests of a file have registered. */
export async function runCleanUps(): Promise<void> {
  for (let work = cleanUps.pop(); work; work = cleanUps.pop()) await work();
}
