import { expect, test } from 'vitest';
import { cacheResults, computeOnce } from './cache-results.ts';

test('a value is computed on the first call only', () => {
  let calls = 0;
  const readValue = computeOnce(() => ({ call: ++calls }));
  expect(calls).toBe(0);
  expect(readValue()).toBe(readValue());
  expect(calls).toBe(1);
});

test('a rejected promise is not stored, and simultaneous calls share one', async () => {
  let calls = 0;
  const load = computeOnce(async () => {
    if (++calls === 1) throw new Error('too many open files');
    return calls;
  });
  const [first, second] = [load(), load()];
  await expect(first).rejects.toThrow('too many open files');
  await expect(second).rejects.toThrow('too many open files');
  expect([await load(), await load(), calls]).toEqual([2, 2, 2]);
});

test('results are computed once for each key, and at most the given number of them is stored', () => {
  const computed: string[] = [];
  const measure = cacheResults(2, (key) => {
    computed.push(key);
    return key.length;
  });
  expect(['one', 'three', 'one', 'three'].map(measure)).toEqual([3, 5, 3, 5]);
  expect(computed).toEqual(['one', 'three']);
  expect(['fourth', 'three', 'one'].map(measure)).toEqual([6, 5, 3]);
  expect(computed).toEqual(['one', 'three', 'fourth', 'one']);
});
