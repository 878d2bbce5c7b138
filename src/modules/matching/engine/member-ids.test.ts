import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  appendId,
  createMemberIds,
  findPosition,
  listPositionsByTail,
  readId,
  removeId,
} from './member-ids.ts';

/** Only a few distinct last words, so that searches collide. */
const id = fc
  .record({ head: fc.constantFrom('0000beef', 'ffffffff'), tail: fc.integer({ min: 0, max: 40 }) })
  .map(({ head, tail }) => `${head}-1111-4222-8333-4444${tail.toString(16).padStart(8, '0')}`);

const action = fc.record({ kind: fc.constantFrom('add', 'add', 'remove'), id });

it('finds exactly the ids that are present, after any sequence of additions and removals', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
      const ids = createMemberIds();
      const model: string[] = [];
      for (const { kind, id } of actions) {
        const place = model.indexOf(id);
        expect(findPosition(ids, id)).toBe(place === -1 ? undefined : place);
        if (kind === 'add' && place === -1) {
          appendId(ids, id);
          model.push(id);
        } else if (kind === 'remove' && place !== -1) {
          removeId(ids, place);
          const last = model.pop()!;
          if (place < model.length) model[place] = last;
        }
      }
      expect(Array.from({ length: ids.size }, (_, position) => readId(ids, position))).toEqual(model);
      for (const [position, id] of model.entries()) {
        expect(findPosition(ids, id)).toBe(position);
        expect(listPositionsByTail(ids, Number.parseInt(id.slice(28), 16))).toContain(position);
      }
    }),
  );
});

it('distinguishes ids that differ in one word, and grows several times', () => {
  const ids = createMemberIds();
  const members = Array.from({ length: 5_000 }, (_, index) => {
    const hex = (index * 2654435761).toString(16).padStart(32, '0').slice(-32);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  });
  for (const id of members) appendId(ids, id);
  for (const [position, id] of members.entries()) expect(findPosition(ids, id)).toBe(position);
  expect(findPosition(ids, members[7]!.replace(/.$/, 'x'))).toBeUndefined();
});
