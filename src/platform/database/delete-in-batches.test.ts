import { expect, test } from 'vitest';
import { deleteInBatches } from './delete-in-batches.ts';

const signal = new AbortController().signal;

test('deletes until nothing is left', async () => {
  let rows = 12_000;
  const limits: number[] = [];
  await deleteInBatches(signal, async (limit) => {
    const deleted = Math.min(rows, limit);
    rows -= deleted;
    limits.push(limit);
    return deleted;
  });
  expect([rows, limits.length, Math.max(...limits)]).toEqual([0, 4, 5_000]);
});

test('ends after a thousand batches, even if rows are added all the time', async () => {
  let batches = 0;
  await deleteInBatches(signal, async () => {
    batches += 1;
    return 1;
  });
  expect(batches).toBe(1_000);
});

test('stops between two batches when the process stops', async () => {
  const stopping = new AbortController();
  let batches = 0;
  const deleting = deleteInBatches(stopping.signal, async () => {
    batches += 1;
    if (batches === 2) stopping.abort();
    return 1;
  });
  await expect(deleting).rejects.toThrow('aborted');
  expect(batches).toBe(2);
});
