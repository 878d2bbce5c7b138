import { decodeList } from '@digitalbazaar/vc-bitstring-status-list';
import { StatusList } from '@sd-jwt/jwt-status-list';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  createEmptyBits,
  encodeBitstringList,
  hasBit,
  readIndexes,
  list_entries,
  shuffleIndexes,
  computeSlice,
  encodeTokenList,
  setBits,
} from './status-bits.ts';

const indexes = fc.array(fc.nat({ max: list_entries - 1 }), { maxLength: 20 });

it('independent decoders find exactly the bits that were set, in both encodings', async () => {
  await fc.assert(
    fc.asyncProperty(indexes, indexes, async (set, asked) => {
      const bits = setBits(createEmptyBits(), set);
      const bitstring = await decodeList({ encodedList: encodeBitstringList(bits) });
      const list = StatusList.decompressStatusList(encodeTokenList(bits), 1);
      for (const index of [...set, ...asked]) {
        const wanted = set.includes(index);
        expect([hasBit(bits, index), bitstring.getStatus(index), list.getStatus(index) === 1]).toEqual([
          wanted,
          wanted,
          wanted,
        ]);
      }
    }),
    { numRuns: 15 },
  );
});

it('setting bits changes no other bit, and does not change the original', () => {
  fc.assert(
    fc.property(indexes, indexes, (first, second) => {
      const before = setBits(createEmptyBits(), first);
      const after = setBits(before, second);
      expect(before.equals(setBits(createEmptyBits(), first))).toBe(true);
      expect(after.equals(setBits(createEmptyBits(), [...second, ...first]))).toBe(true);
    }),
    { numRuns: 50 },
  );
});

it('the shuffled order contains every index once, and each slice is at its computed position', () => {
  const shuffled = shuffleIndexes();
  const all = readIndexes(shuffled);
  expect(new Set(all).size).toBe(list_entries);
  expect(Math.max(...all.slice(0, 50_000))).toBeLessThan(list_entries);
  const { start, length } = computeSlice(700, 100);
  expect(readIndexes(shuffled.subarray(start - 1, start - 1 + length))).toEqual(all.slice(700, 800));
});
