import { toKeyedCategory } from '@tessera/psychometrics';
import { createSeededRandom, type Random } from '@tessera/psychometrics/seeded-random';
import { readAnswersCsv } from '../../src/modules/measurement/traits/calibration/answers-csv.ts';
import {
  compareFunctioning,
  createPacker,
} from '../../src/modules/measurement/traits/functioning/compare-functioning.ts';
import { indexBank, type ItemBank } from '../../src/modules/measurement/traits/items/bank.ts';
import type { Answer, GradedItem } from '../../src/modules/measurement/traits/items/item.ts';
import { shuffle, spiFiles } from '../lib/answers.ts';
import { formatPercent } from '../lib/report.ts';
import type { Figure } from './people.ts';

const [focal_people, reference_people] = [210, 310];
const null_runs = 20;

type Group = 'focal' | 'reference';
type Groups = Readonly<Record<Group, readonly (readonly Answer[])[]>>;

/**
 * Measures how often an item is flagged for two random groups of 210 and 310 people, and how often one is found that half of the smaller group
 * answers a step higher, with the scales of the SPI that have five items. The parameters of the bank are not calibrated.
 */
export async function measureFunctioning(): Promise<readonly Figure[]> {
  const { people, bank } = await readPeople();
  const random = createSeededRandom(28);
  let [compared, false_alarms, planted, found] = [0, 0, 0, 0];
  for (let run = 0; run < null_runs; run += 1) {
    compared += bank.graded.length;
    false_alarms += (await listDiffering(drawGroups(people, random), bank)).length;
  }
  for (let scale = 0; scale < 24; scale += 2) {
    const groups = drawGroups(people, random);
    const item = bank.gradedByTrait.get(bank.traits[scale]!)![0]!;
    const focal = groups.focal.map((answers) => (random() < 0.5 ? answerHigher(answers, item) : answers));
    planted += 1;
    if ((await listDiffering({ ...groups, focal }, bank)).includes(item.id)) found += 1;
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

async function listDiffering(groups: Groups, bank: ItemBank<string>): Promise<readonly string[]> {
  const pack = createPacker(bank);
  const people = (['reference', 'focal'] as const).flatMap((group) =>
    groups[group].map((answers) => pack({ group }, answers)),
  );
  const comparisons = await compareFunctioning(people, bank);
  return comparisons.flatMap(({ items }) => items.map(({ item_id }) => item_id));
}

/** Moves the answer to an item one step towards more of its trait. */
function answerHigher(answers: readonly Answer[], item: GradedItem<string>): readonly Answer[] {
  return answers.map((answer) => {
    if (answer.item_id !== item.id) return answer;
    const higher = Math.min(item.thresholds.length, toKeyedCategory(item, answer.option) + 1);
    return { ...answer, option: toKeyedCategory(item, higher) };
  });
}

function drawGroups(people: readonly (readonly Answer[])[], random: Random): Groups {
  const drawn = shuffle(people, random);
  return {
    focal: drawn.slice(0, focal_people),
    reference: drawn.slice(focal_people, focal_people + reference_people),
  };
}

/** Reads the people, and the scales with five items. */
async function readPeople(): Promise<{
  readonly people: readonly (readonly Answer[])[];
  readonly bank: ItemBank<string>;
}> {
  const { bank, answerSets } = await readAnswersCsv(spiFiles.answers, spiFiles.key);
  const graded = bank.graded.filter(({ trait }) => bank.gradedByTrait.get(trait)!.length === 5);
  return { people: answerSets, bank: indexBank({ ...bank, graded }) };
}
