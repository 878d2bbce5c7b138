import { computeCorrelation } from '@tessera/psychometrics';
import type { Answer } from '../../src/modules/measurement/traits/items/item.ts';
import {
  chooseNextItem,
  stoppingRule,
  type AssessmentRule,
} from '../../src/modules/measurement/traits/measurement/next-item.ts';
import { computePosterior } from '../../src/modules/measurement/traits/measurement/posterior.ts';
import { formatPercent, type Table } from '../lib/report.ts';
import { average, type Figure, type RealPeople } from './people.ts';

/** The items that are asked: 37 % of all. */
const length = 50;

/** The shares of the statements that a person can get, and the number of people, for the curve. */
const shares = [0.5, 0.6, 0.7, 1] as const;
const curve_people = 300;

type Precision = {
  /** The correlation of the scores with those from all items, by scale. */
  readonly r: ReadonlyMap<string, number>;
  /** The share of the people of whom the item that is asked most often was asked. */
  readonly exposure: number;
  /** The number of items that are asked of anybody. */
  readonly asked: number;
};

/** Compares scores from 50 adaptive items with those from all 135, and says how often an item is asked. */
export function comparePrecision(people: RealPeople): {
  readonly figures: Figure[];
  readonly tables: Table[];
} {
  const used = measurePrecision(people, limitExposure(stoppingRule.eligible_share));
  const short = measurePrecision(people, stoppingRule);
  const some = { ...people, others: people.others.slice(0, curve_people) };
  const runs = shares.map((share) => [share, measurePrecision(some, limitExposure(share))] as const);
  return {
    figures: [
      {
        name: 'r with the full scale at 50 of 135 items',
        earlier: '0.915',
        now: computeMean(used).toFixed(3),
        target: '0.95',
      },
      { name: 'the same, lowest scale', earlier: '0.86', now: findLowest(used).toFixed(3), target: '0.93' },
      {
        name: 'highest exposure of an item',
        earlier: 'not measured',
        now: formatPercent(used.exposure),
        target: '60 %',
      },
      {
        name: 'r, lowest scale, highest exposure as the service asks scales of five statements',
        earlier: 'not measured',
        now: `${computeMean(short).toFixed(3)}, ${findLowest(short).toFixed(3)}, ${formatPercent(short.exposure)}`,
        target: '0.95, 0.93, none',
      },
    ],
    tables: [drawCurve(runs), listScales(used)],
  };
}

/** The rule with a share for every scale. The service gives a member at least six statements of a scale, so all of one with five. */
const limitExposure = (eligible_share: number) => ({ ...stoppingRule, eligible_share, fewest_eligible: 1 });

const computeMean = ({ r }: Precision) => average([...r.values()]);

const findLowest = ({ r }: Precision) => Math.min(...r.values());

function measurePrecision({ bank, others }: RealPeople, chosen: AssessmentRule): Precision {
  const counts = new Map<string, number>();
  const scores = others.map((answers, index) => {
    const given = askAdaptively(answers, `real-${index}`, { bank, chosen });
    for (const { item_id } of given) counts.set(item_id, (counts.get(item_id) ?? 0) + 1);
    return { full: computePosterior(answers, bank).mean, part: computePosterior(given, bank).mean };
  });
  const r = bank.traits.map((trait, slot) => {
    const full = scores.map((score) => score.full[slot]!);
    const part = scores.map((score) => score.part[slot]!);
    return [trait, computeCorrelation(full, part)] as const;
  });
  return { r: new Map(r), exposure: Math.max(...counts.values()) / others.length, asked: counts.size };
}

/** Asks after the fact: each item has the answer that the person once gave (Weiss 1982). */
function askAdaptively(
  answers: readonly Answer[],
  seed: string,
  { bank, chosen }: Pick<RealPeople, 'bank'> & { readonly chosen: AssessmentRule },
): readonly Answer[] {
  const known = new Map(answers.map((answer) => [answer.item_id, answer]));
  const rule = { ...chosen, word_gain: 0, most_items: length };
  const given: Answer[] = [];
  const chooseNext = () => chooseNextItem(given, seed, bank, { rule });
  for (let item = chooseNext(); item !== undefined; item = chooseNext()) given.push(known.get(item.id)!);
  return given;
}

function drawCurve(runs: readonly (readonly [number, Precision])[]): Table {
  return {
    head: [
      `statements that a person can get (${curve_people} people)`,
      'r',
      'lowest scale',
      'highest exposure',
      'items asked',
    ],
    rows: runs.map(([share, precision]) => [
      formatPercent(share),
      computeMean(precision).toFixed(3),
      findLowest(precision).toFixed(3),
      formatPercent(precision.exposure),
      String(precision.asked),
    ]),
  };
}

function listScales({ r }: Precision): Table {
  const sorted = [...r].toSorted(([, one], [, other]) => one - other);
  return { head: ['scale', 'r'], rows: sorted.map(([scale, value]) => [scale, value.toFixed(3)]) };
}
