import { smallest_cell, type BiasStage } from '../rules.ts';
import { buildSet, type People } from './people.ts';

/** The order in which columns are added: what the organisation decides comes first. */
const ordered: readonly BiasStage[] = [
  'org_interested',
  'rated_strong',
  'placed',
  'member_accepted',
  'above_median',
];

const ratings = buildSet(['rated_strong', 'above_median']);

/**
 * Chooses the columns that a report has, by numbers of all people, which the organisation knows from its own lists, and never by groups. An organisation knows who is in
 * each column, and could choose everybody who is rated strong but one: the difference of two columns of a group would then be this one person. So no two sets of people
 * that the report tells apart, by stages or by ratings, differ by fewer than ten people. A column that would come too near to those before it is left out.
 */
export function chooseColumns(people: People): readonly BiasStage[] {
  const chosen: BiasStage[] = [];
  for (const column of ordered) if (areFarApart(people, [...chosen, column])) chosen.push(column);
  return chosen;
}

/**
 * Says whether ten people or nobody are in exactly one of two sets: any stages that people reached at the furthest, and any levels of their ratings. Stages contain one another,
 * and so do ratings. So every sum and difference of the columns gives each person one number for the stage and one for the rating; the two cancel for everybody who is in both sets
 * or in neither of them, and the sum is about the others.
 */
function areFarApart(people: People, columns: readonly BiasStage[]): boolean {
  const known = buildSet(columns);
  const stages = listLevels(people, known & ~ratings);
  const levels = listLevels(people, known & ratings);
  return listSubsets(stages).every((one) =>
    listSubsets(levels).every((other) => {
      let apart = 0;
      for (const [set, each] of people)
        if (one.has(set & known & ~ratings) !== other.has(set & known & ratings)) apart += each;
      return apart === 0 || apart >= smallest_cell;
    }),
  );
}

function listLevels(people: People, columns: number): readonly number[] {
  return [...new Set([...people.keys()].map((set) => set & columns))];
}

/** Lists all subsets; there are at most four levels. */
function listSubsets(levels: readonly number[]): readonly ReadonlySet<number>[] {
  return Array.from(
    { length: 2 ** levels.length },
    (_, number) => new Set(levels.filter((__, index) => (number >> index) % 2 === 1)),
  );
}
