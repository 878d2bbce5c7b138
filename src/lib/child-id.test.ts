import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatParentId, formatChildId, child_id_bytes, readParentId } from './child-id.ts';

const bytes = fc.uint8Array({ minLength: child_id_bytes, maxLength: child_id_bytes });
const uuidOfVersion8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('the ids of parents and children are UUIDs of version 8', () => {
  fc.assert(
    fc.property(bytes, bytes, (ofParent, ofChild) => {
      const parent_id = formatParentId(ofParent);
      expect(parent_id).toMatch(uuidOfVersion8);
      expect(formatChildId(parent_id, ofChild)).toMatch(uuidOfVersion8);
    }),
  );
});

test('the id of a child gives the id of its parent', () => {
  fc.assert(
    fc.property(bytes, bytes, (ofParent, ofChild) => {
      const parent_id = formatParentId(ofParent);
      expect(readParentId(formatChildId(parent_id, ofChild))).toBe(parent_id);
      expect(readParentId(parent_id)).toBe(parent_id);
    }),
  );
});

test('known bytes give known ids', () => {
  const parent_id = formatParentId(Uint8Array.of(0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef));
  expect(parent_id).toBe('01234567-89ab-8def-8000-000000000000');
  const child_id = formatChildId(parent_id, Uint8Array.of(0xff, 0xfe, 1, 2, 3, 4, 5, 6));
  expect(child_id).toBe('01234567-89ab-8def-bffe-010203040506');
});

test('all bits but the six of the version and the variant are random: two ids differ if their bytes do', () => {
  const parent_id = formatParentId(new Uint8Array(child_id_bytes));
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      const toBits = (random: Uint8Array) => Buffer.from(random.with(0, random[0]! & 0x3f));
      expect(formatChildId(parent_id, one) === formatChildId(parent_id, other)).toBe(
        toBits(one).equals(toBits(other)),
      );
    }),
  );
});

test('the id of a child does not depend on what the child is, and children of two parents share nothing by which they could be joined', () => {
  const [one, other] = [1, 2].map((first) => formatParentId(Uint8Array.of(first, 0, 0, 0, 0, 0, 0, 0)));
  // The function learns nothing about the child, so that the same bytes are all that two ids could have in common.
  const random = Uint8Array.of(9, 9, 9, 9, 9, 9, 9, 9);
  expect(formatChildId(one!, random)).not.toBe(formatChildId(other!, random));
  expect(formatChildId.length).toBe(2);
});

test('rejects too few and too many bytes as a defect', () => {
  expect(() => formatParentId(new Uint8Array(7))).toThrow('8 random bytes');
  expect(() => formatChildId(formatParentId(new Uint8Array(8)), new Uint8Array(9))).toThrow('8 random bytes');
});
