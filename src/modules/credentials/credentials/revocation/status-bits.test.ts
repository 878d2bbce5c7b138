import { decodeList } from '@digitalbazaar/vc-bitstring-status-list';
import { StatusList } from '@sd-jwt/jwt-status-list';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  createEmptyBits,
  encodeBitstringList,
  hasBit,
  joinBits,
  readIndexes,
  list_entries,
  shuffleIndexes,
  block_bytes,
  computeBlock,
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

it('joined bits are those of both, and the first buffer itself where the second adds nothing', () => {
  fc.assert(
    fc.property(indexes, indexes, (one, other) => {
      const [first, second] = [setBits(createEmptyBits(), one), setBits(createEmptyBits(), other)];
      const joined = joinBits(first, second);
      expect(joined.equals(setBits(createEmptyBits(), [...one, ...other]))).toBe(true);
      expect(joinBits(joined, second)).toBe(joined);
    }),
    { numRuns: 30 },
  );
});

it('a bit of a block is the bit of its index in the whole list', () => {
  fc.assert(
    fc.property(fc.nat({ max: list_entries - 1 }), (index) => {
      const { block, bit } = computeBlock(index);
      const ofList = setBits(createEmptyBits(), [index]);
      const ofBlock = ofList.subarray(block * block_bytes, (block + 1) * block_bytes);
      expect(ofBlock.equals(setBits(Buffer.alloc(block_bytes), [bit]))).toBe(true);
    }),
  );
});
