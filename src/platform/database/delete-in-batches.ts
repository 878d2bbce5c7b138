/** Small enough that a batch holds its locks for a fraction of a second. */
const batch_rows = 5_000;
const batches_max = 1_000;

/**
 * Deletes rows in small transactions until none is left, or until five million are deleted: the next run of the task deletes the rest.
 *
 * @param deleteBatch deletes at most `limit` rows of each of its tables in a transaction of its own, and returns how many they were together.
 */
export async function deleteInBatches(
  signal: AbortSignal,
  deleteBatch: (limit: number) => Promise<number>,
): Promise<void> {
  for (let batch = 0; batch < batches_max; batch++) {
    signal.throwIfAborted();
    if ((await deleteBatch(batch_rows)) === 0) return;
  }
}
