import { findPosition } from '#modules/matching/engine';
import type { MatchIndex } from '../../src/modules/matching/matches/index/match-index.ts';

/** Says whether the member was deployed, and belongs to the part of the index if it has one, at the last refresh. */
export function hasMember(index: MatchIndex, member_id: string): Promise<boolean> {
  return index.runExclusively(
    async ({ population }) => findPosition(population.ids, member_id) !== undefined,
  );
}
