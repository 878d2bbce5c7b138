import { judgeItem, toKeyedCategory, type ItemClass, type Stratum } from '@tessera/psychometrics';
import { createTurnEnder } from '#lib/concurrency/create-turn-ender.ts';
import type { ItemBank } from '../items/bank.ts';
import { isGraded, isSkipped, type Answer, type GradedItem } from '../items/item.ts';
import { estimateAlone } from '../measurement/posterior.ts';

/** The groups of somebody by attribute, and the answers to statements in a packed form, because there can be 20,000 people. */
export type ExaminedPerson = {
  readonly groups: Readonly<Record<string, string>>;
  /** The place of each answered statement in {@link listStatements}. */
  readonly places: Uint16Array;
  readonly options: Uint8Array;
};

/** How a statement works for a group. */
type JudgedItem = {
  readonly item_id: string;
  readonly trait: string;
  readonly item_class: ItemClass;
  /** In standard deviations of the answers, above zero if the group answers as people with more of the trait do. */
  readonly effect: number;
  readonly probability: number;
  /** How many of both groups answered it. */
  readonly answered: number;
};

/** A statement that works differently for a group. Its effect is rounded to hundredths. */
export type DifferingItem = Omit<JudgedItem, 'item_class' | 'probability'> & {
  readonly item_class: Exclude<ItemClass, 'small'>;
};

/** How the statements work for a group, compared with the largest group of the attribute. */
export type GroupComparison = {
  readonly attribute: string;
  readonly group: string;
  readonly reference: string;
  readonly compared: number;
  /** The statements that were compared, in no order. */
  readonly judged: readonly JudgedItem[];
  /** Those whose difference is not small, the largest first. */
  readonly items: readonly DifferingItem[];
};

/** Lists the statements of a bank that are compared: situations have no order of options. Retired ones count nothing. */
function listStatements(bank: ItemBank<string>): readonly GradedItem<string>[] {
  return [...bank.itemsById.values()].filter((item) => isGraded(item)).filter(({ weight }) => weight !== 0);
}

/** Returns a function that packs somebody's answers. Skipped statements, situations and retired statements are left out. */
export function createPacker(
  bank: ItemBank<string>,
): (groups: ExaminedPerson['groups'], answers: readonly Answer[]) => ExaminedPerson {
  const placeById = new Map(listStatements(bank).map((item, place) => [item.id, { item, place }]));
  return (groups, answers) => {
    const given = answers.flatMap(({ item_id, option }) => {
      const known = placeById.get(item_id);
      return known && !isSkipped(known.item, option) ? [{ place: known.place, option }] : [];
    });
    return {
      groups,
      places: Uint16Array.from(given, ({ place }) => place),
      options: Uint8Array.from(given, ({ option }) => option),
    };
  };
}

const rounds_max = 5;

/** The fewest answers of the smaller group, and of both, to compare a statement. */
type FewestAnswers = { readonly of_group: number; readonly of_both: number };

/** ETS asks for 200 people of the smaller group and 500 in all (Zwick 2012). */
const fewestAnswers: FewestAnswers = { of_group: 200, of_both: 500 };

type Comparing = {
  readonly fewest?: FewestAnswers;
  /** Is called after each round. */
  readonly showProgress?: (done: number, total: number) => void;
};

/**
 * Compares how the statements work for each group of an attribute and for its largest one, by the two methods of `judgeItem`, among people with
 * the same estimate of the trait. Purified: statements that differ for any group are left out of the estimates of the others, until the same ones
 * differ (Lord 1980; Candell and Drasgow 1988, Appl Psychol Meas 12), because people would otherwise be compared by what is in question. A
 * statement itself stays in the estimate by which it is compared: without it, groups with different means would seem to differ (Donoghue,
 * Holland and Thayer 1993). Groups for which no statement has enough answers are left out.
 */
export async function compareFunctioning(
  people: readonly ExaminedPerson[],
  bank: ItemBank<string>,
  { fewest = fewestAnswers, showProgress = () => undefined }: Comparing = {},
): Promise<readonly GroupComparison[]> {
  const endLongTurn = createTurnEnder();
  const statements = listStatements(bank);
  const pairs = listPairs(people);
  let excluded: ReadonlySet<number> = new Set();
  for (let round = 1; ; round++) {
    const previous = excluded;
    const answers = await countAnswers(people, { bank, statements, excluded, endLongTurn });
    const comparisons: GroupComparison[] = [];
    for (const pair of pairs) {
      await endLongTurn();
      comparisons.push(compareGroup(pair, answers, statements, fewest));
    }
    const differing = new Set(comparisons.flatMap(({ items }) => items.map(({ item_id }) => item_id)));
    const next = new Set(statements.flatMap(({ id }, place) => (differing.has(id) ? [place] : [])));
    const isStable = next.size === previous.size && [...next].every((place) => previous.has(place));
    const isLast = round === rounds_max || isStable;
    showProgress(isLast ? rounds_max : round, rounds_max);
    if (isLast) return comparisons.filter(({ compared }) => compared > 0);
    excluded = next;
  }
}

type GroupPair = Pick<GroupComparison, 'attribute' | 'group' | 'reference'>;

/** Lists each group with the largest one of its attribute. */
function listPairs(people: readonly ExaminedPerson[]): readonly GroupPair[] {
  const counts = new Map<string, Map<string, number>>();
  for (const { groups } of people)
    for (const [attribute, group] of Object.entries(groups)) {
      const sizes = counts.get(attribute) ?? new Map<string, number>();
      counts.set(attribute, sizes.set(group, (sizes.get(group) ?? 0) + 1));
    }
  return [...counts].flatMap(([attribute, sizes]) => {
    const [[reference] = [''], ...others] = [...sizes].toSorted(([, one], [, other]) => other - one);
    return others.map(([group]) => ({ attribute, group, reference }));
  });
}

const levels = 10;
/** As many options as a statement of an imported bank can have. */
const options_max = 10;

/** By attribute and group, and by the place of the statement: how many gave each keyed category at each level of the trait. */
type AnswerCounts = ReadonlyMap<string, ReadonlyMap<number, Uint32Array>>;

type Counting = {
  readonly bank: ItemBank<string>;
  readonly statements: readonly GradedItem<string>[];
  readonly excluded: ReadonlySet<number>;
  readonly endLongTurn: () => Promise<void>;
};

async function countAnswers(people: readonly ExaminedPerson[], counting: Counting): Promise<AnswerCounts> {
  const { bank, statements, excluded, endLongTurn } = counting;
  const estimates: (readonly (number | undefined)[])[] = [];
  for (const person of people) {
    await endLongTurn();
    estimates.push(
      estimateAlone(
        listAnswers(person, statements, (place) => !excluded.has(place)),
        bank,
      ),
    );
  }
  const ends = bank.traits.map((_, slot) => computeTenths(estimates.flatMap((each) => each[slot] ?? [])));
  const counts = new Map<string, Map<number, Uint32Array>>();
  for (const [index, person] of people.entries()) {
    await endLongTurn();
    for (const [attribute, group] of Object.entries(person.groups)) {
      const key = `${attribute} ${group}`;
      const byPlace = counts.get(key) ?? new Map<number, Uint32Array>();
      counts.set(key, byPlace);
      addPerson(byPlace, person, estimates[index]!, ends, counting);
    }
  }
  return counts;
}

function addPerson(
  byPlace: Map<number, Uint32Array>,
  person: ExaminedPerson,
  estimates: readonly (number | undefined)[],
  ends: readonly (readonly number[])[],
  { bank, statements, excluded }: Counting,
): void {
  for (const [index, place] of person.places.entries()) {
    const item = statements[place]!;
    const slot = bank.slots.get(item.trait)!;
    const category = toKeyedCategory(item, person.options[index]!);
    const estimate = excluded.has(place)
      ? estimateAlone(
          listAnswers(
            person,
            statements,
            (other) => statements[other]!.trait === item.trait && (other === place || !excluded.has(other)),
          ),
          bank,
        )[slot]
      : estimates[slot];
    if (estimate === undefined || category >= options_max) continue;
    const counted = byPlace.get(place) ?? new Uint32Array(levels * options_max);
    byPlace.set(place, counted);
    counted[ends[slot]!.filter((end) => estimate >= end).length * options_max + category]!++;
  }
}

function listAnswers(
  { places, options }: ExaminedPerson,
  statements: readonly GradedItem<string>[],
  mayCount: (place: number) => boolean,
): readonly Answer[] {
  return Array.from(places, (place, index) => ({ place, option: options[index]! }))
    .filter(({ place }) => mayCount(place))
    .map(({ place, option }) => ({ item_id: statements[place]!.id, option }));
}

/** Computes the nine values that divide a list into tenths. */
function computeTenths(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((one, other) => one - other);
  return Array.from(
    { length: levels - 1 },
    (_, level) => sorted[Math.floor(((level + 1) * sorted.length) / levels)] ?? 0,
  );
}

function compareGroup(
  pair: GroupPair,
  answers: AnswerCounts,
  statements: readonly GradedItem<string>[],
  fewest: FewestAnswers,
): GroupComparison {
  const { attribute, group, reference } = pair;
  const others = answers.get(`${attribute} ${reference}`);
  const judged = [...(answers.get(`${attribute} ${group}`) ?? [])].flatMap(([place, focal]): JudgedItem[] => {
    const { id, trait, thresholds } = statements[place]!;
    const strata = listStrata(others?.get(place), focal, thresholds.length + 1);
    const [fewer, more] = countBoth(strata);
    if (fewer < fewest.of_group || fewer + more < fewest.of_both) return [];
    const difference = judgeItem(strata);
    return difference ? [{ item_id: id, trait, ...difference, answered: fewer + more }] : [];
  });
  return {
    ...pair,
    compared: judged.length,
    judged,
    items: judged.flatMap(toDiffering).toSorted(compareEffects),
  };
}

function toDiffering({ item_id, trait, item_class, effect, answered }: JudgedItem): DifferingItem[] {
  if (item_class === 'small') return [];
  return [{ item_id, trait, item_class, effect: Math.round(effect * 100) / 100, answered }];
}

function compareEffects(one: DifferingItem, other: DifferingItem): number {
  return Math.abs(other.effect) - Math.abs(one.effect) || (one.item_id < other.item_id ? -1 : 1);
}

function listStrata(
  reference: Uint32Array | undefined,
  focal: Uint32Array,
  options: number,
): readonly Stratum[] {
  const read = (counts: Uint32Array | undefined, level: number) =>
    Array.from({ length: options }, (_, option) => counts?.[level * options_max + option] ?? 0);
  return Array.from({ length: levels }, (_, level) => ({
    reference: read(reference, level),
    focal: read(focal, level),
  }));
}

/** Counts the answers of both groups, the smaller number first. */
function countBoth(strata: readonly Stratum[]): readonly [number, number] {
  const sum = (name: keyof Stratum) =>
    strata.reduce((total, stratum) => total + stratum[name].reduce((people, count) => people + count, 0), 0);
  const [reference, focal] = [sum('reference'), sum('focal')];
  return [Math.min(reference, focal), Math.max(reference, focal)];
}
