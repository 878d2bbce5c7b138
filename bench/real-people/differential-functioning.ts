import { judgeItem, toKeyedCategory, type Stratum } from '@tessera/psychometrics';
import { createSeededRandom, type Random } from '@tessera/psychometrics/seeded-random';
import { readAnswersCsv } from '../../src/modules/measurement/traits/calibration/answers-csv.ts';
import type { GradedItem } from '../../src/modules/measurement/traits/items/item.ts';
import { spiFiles } from '../lib/answers.ts';
import { formatPercent } from '../lib/report.ts';
import type { Figure } from './people.ts';

const options = 6;
const levels = 10;
const rounds_max = 5;
const [focal_people, reference_people] = [210, 310];
const null_runs = 20;

type Scale = readonly GradedItem<string>[];

/** The options that somebody chose, by item. */
type Person = ReadonlyMap<string, number>;

type Judge = (strata: readonly Stratum[]) => boolean;

/**
 * Measures how often an item is flagged for two random groups of 210 and 310 people, and how often one is found that half of the smaller group
 * answers a step higher: purified and by two methods, with the scales of the SPI that have five items.
 */
export async function measureFunctioning(judge: Judge = isFlagged): Promise<readonly Figure[]> {
  const { people, scales } = await readPeople();
  const random = createSeededRandom(28);
  let [compared, false_alarms, planted, found] = [0, 0, 0, 0];
  for (let run = 0; run < null_runs; run += 1) {
    const groups = drawGroups(people, random);
    for (const scale of scales) {
      compared += scale.length;
      false_alarms += findFlagged(readScale(groups, scale), judge).size;
    }
  }
  for (let item = 0; item < 12; item += 1) {
    const groups = drawGroups(people, random);
    const scored = readScale(groups, scales[item * 2]!);
    for (const answers of scored.focal)
      if (random() < 0.5) answers[0] = Math.min(options - 1, answers[0]! + 1);
    planted += 1;
    if (findFlagged(scored, judge).has(0)) found += 1;
  }
  return [
    {
      name: `items flagged, of ${compared} without a difference`,
      earlier: '0.9 %',
      now: formatPercent(false_alarms / compared),
      target: '0.5 %',
    },
    {
      name: `differences of half a step found, of ${planted}`,
      earlier: '11',
      now: String(found),
      target: '11',
    },
  ];
}

const isFlagged: Judge = (strata) => (judgeItem(strata)?.item_class ?? 'small') !== 'small';

type Scored = { readonly reference: readonly number[][]; readonly focal: readonly number[][] };

/** Flags items, drops them from the score by which people are matched, and flags again, until the same are flagged (Lord 1980). */
function findFlagged({ reference, focal }: Scored, judge: Judge): ReadonlySet<number> {
  const size = focal[0]!.length;
  let flagged: ReadonlySet<number> = new Set();
  for (let round = 0; round < rounds_max; round += 1) {
    const before = flagged;
    const next = Array.from({ length: size }, (_, item) => item).filter((item) => {
      const matched = Array.from({ length: size }, (_, each) => each).filter(
        (each) => each === item || !before.has(each),
      );
      return judge(countStrata({ reference, focal }, item, matched));
    });
    flagged = new Set(next);
    if (flagged.size === before.size && next.every((item) => before.has(item))) break;
  }
  return flagged;
}

/** Sorts people into tenths by the sum of the matched items. */
function countStrata({ reference, focal }: Scored, item: number, matched: readonly number[]): Stratum[] {
  const sum = (answers: readonly number[]) => matched.reduce((total, each) => total + answers[each]!, 0);
  const sums = [...reference, ...focal].map(sum).toSorted((one, other) => one - other);
  const ends = Array.from(
    { length: levels - 1 },
    (_, level) => sums[Math.floor(((level + 1) * sums.length) / levels)]!,
  );
  const strata = Array.from({ length: levels }, () => ({
    reference: Array.from({ length: options }, () => 0),
    focal: Array.from({ length: options }, () => 0),
  }));
  for (const [group, all] of Object.entries({ reference, focal }) as ['reference' | 'focal', number[][]][])
    for (const answers of all) {
      const level = ends.filter((end) => sum(answers) >= end).length;
      strata[level]![group][answers[item]!]! += 1;
    }
  return strata;
}

/** Reads the keyed answers of the people who answered every item of a scale. */
function readScale(groups: Record<'reference' | 'focal', readonly Person[]>, scale: Scale): Scored {
  const readAll = (people: readonly Person[]) =>
    people
      .filter((answers) => scale.every(({ id }) => answers.has(id)))
      .map((answers) => scale.map((item) => toKeyedCategory(item, answers.get(item.id)!)));
  return { reference: readAll(groups.reference), focal: readAll(groups.focal) };
}

function drawGroups(people: readonly Person[], random: Random) {
  const drawn = people
    .map((answers) => ({ answers, order: random() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ answers }) => answers);
  return {
    focal: drawn.slice(0, focal_people),
    reference: drawn.slice(focal_people, focal_people + reference_people),
  };
}

/** Reads the people, and the scales with five items. */
async function readPeople(): Promise<{
  readonly people: readonly Person[];
  readonly scales: readonly Scale[];
}> {
  const { bank, answerSets } = await readAnswersCsv(spiFiles.answers, spiFiles.key);
  return {
    people: answerSets.map((answers) => new Map(answers.map(({ item_id, option }) => [item_id, option]))),
    scales: bank.traits.map((trait) => bank.gradedByTrait.get(trait)!).filter(({ length }) => length === 5),
  };
}
