import { expect, test } from 'vitest';
import { cacheByObject, cacheResults, computeOnce } from './cache-results.ts';

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

test('a result is computed once for each object, even if it is undefined', () => {
  let computed = 0;
  const measure = cacheByObject(({ size }: { readonly size: number }) => {
    computed++;
    return size > 0 ? size : undefined;
  });
  const [one, other, empty] = [{ size: 1 }, { size: 1 }, { size: 0 }];
  expect([one, one, other, empty, empty].map(measure)).toEqual([1, 1, 1, undefined, undefined]);
  expect(computed).toBe(3);
});
