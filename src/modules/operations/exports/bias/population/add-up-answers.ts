import { judgeItem, type Stratum } from '@tessera/psychometrics';
import { isGraded, itemBank, traitCodes } from '#modules/measurement/traits';
import { identityAttributes } from '#modules/people/self-identification';
import { smallest_cell } from '../rules.ts';
import type { FlaggedItem, GroupItems, GroupPrecision } from './rules.ts';

/** The answers and the result of a member who has said something about themselves. */
export type MeasuredMember = {
  readonly member_id: string;
  readonly gender: string | null;
  readonly age_band: string | null;
  readonly ethnicity: string | null;
  readonly disability: string | null;
  readonly item_ids: readonly string[];
  readonly options: readonly number[];
  /** Of the twenty traits, in their order. */
  readonly mean: readonly number[];
  readonly variance: readonly number[];
};

/** What is known of an item: the trait that it measures, and the number of its ordered options. */
export type KnownItem = { readonly trait: string; readonly slot: number; readonly options: number };

/** Sums of answers, from which precision and item functioning of groups follow. Its size does not depend on the number of members. */
export type AnswerSums = {
  /** By attribute and group: people, sum of standard errors, sum of items. */
  readonly precision: Map<string, { people: number; standard_error: number; items: number }>;
  /** By attribute and group, and by item: how many gave each answer at each level of the trait. */
  readonly answers: Map<string, Map<string, Uint32Array>>;
};

export function createAnswerSums(): AnswerSums {
  return { precision: new Map(), answers: new Map() };
}

/** Levels of a trait that hold a tenth of the population each, by the standard normal distribution. */
const level_ends = [-1.2816, -0.8416, -0.5244, -0.2533, 0, 0.2533, 0.5244, 0.8416, 1.2816];
const options_max = 8;

/** Adds the answers of a member to the sums of their groups. */
export function addAnswers(
  sums: AnswerSums,
  member: MeasuredMember,
  items: ReadonlyMap<string, KnownItem> = listKnownItems(),
): void {
  for (const attribute of identityAttributes) {
    const group = member[attribute];
    if (group === null) continue;
    const key = `${attribute} ${group}`;
    addPrecision(sums, key, member);
    const byItem = sums.answers.get(key) ?? new Map<string, Uint32Array>();
    sums.answers.set(key, byItem);
    for (const [place, item_id] of member.item_ids.entries()) {
      const item = items.get(item_id);
      const option = member.options[place]!;
      if (!item || option >= item.options) continue;
      const counts = byItem.get(item_id) ?? new Uint32Array((level_ends.length + 1) * options_max);
      byItem.set(item_id, counts);
      counts[findLevel(member.mean[item.slot]!) * options_max + option]!++;
    }
  }
}

function addPrecision(sums: AnswerSums, key: string, { variance, item_ids }: MeasuredMember): void {
  const sum = sums.precision.get(key) ?? { people: 0, standard_error: 0, items: 0 };
  sums.precision.set(key, sum);
  sum.people++;
  sum.standard_error += variance.reduce((total, each) => total + Math.sqrt(each), 0) / variance.length;
  sum.items += item_ids.length;
}

function findLevel(mean: number): number {
  const level = level_ends.findIndex((end) => mean < end);
  return level < 0 ? level_ends.length : level;
}

/** Lists the statements of the bank; work situations have no order of options, and an option that skips a statement is no answer. */
function listKnownItems(): ReadonlyMap<string, KnownItem> {
  return knownItems;
}

const knownItems: ReadonlyMap<string, KnownItem> = new Map(
  [...itemBank.itemsById.values()]
    .filter((item) => isGraded(item))
    .map((item) => [
      item.id,
      { trait: item.trait, slot: traitCodes.indexOf(item.trait), options: item.thresholds.length + 1 },
    ]),
);

/** Computes the mean precision of each group of at least ten. */
export function summarisePrecision({ precision }: AnswerSums): readonly GroupPrecision[] {
  return [...precision]
    .filter(([, { people }]) => people >= smallest_cell)
    .map(([key, { people, standard_error, items }]) => ({
      ...splitKey(key),
      standard_error: Math.round((standard_error / people) * 100) / 100,
      items: Math.round((items / people) * 10) / 10,
    }))
    .toSorted(compareKeys);
}

/** Fewer answers than these are not compared: ETS asks for 200 people of the smaller group and 500 in all (Zwick 2012). */
const focal_answers_min = 200;
const answers_min = 500;

const items_listed_max = 10;

/** Compares how items work for each group and for the largest one of the attribute. Groups for which no item has enough answers are left out. */
export function compareItems(
  { precision, answers }: AnswerSums,
  items: ReadonlyMap<string, KnownItem> = listKnownItems(),
): readonly GroupItems[] {
  return identityAttributes.flatMap((attribute) => {
    const groups = [...precision]
      .filter(([key]) => key.startsWith(`${attribute} `))
      .toSorted(([, one], [, other]) => other.people - one.people)
      .map(([key]) => key);
    const [reference, ...others] = groups;
    if (reference === undefined) return [];
    return others
      .map((key) => compareGroupItems({ key, reference }, answers, items))
      .filter(({ compared }) => compared > 0)
      .toSorted(compareKeys);
  });
}

function compareGroupItems(
  { key, reference }: { readonly key: string; readonly reference: string },
  answers: AnswerSums['answers'],
  items: ReadonlyMap<string, KnownItem>,
): GroupItems {
  const compared: { readonly item_id: string; readonly flagged: FlaggedItem | undefined }[] = [];
  for (const [item_id, focal] of answers.get(key)!) {
    const item = items.get(item_id)!;
    const strata = listStrata(answers.get(reference)!.get(item_id), focal, item.options);
    const difference = hasEnoughAnswers(strata) ? judgeItem(strata) : undefined;
    if (!difference) continue;
    const { item_class } = difference;
    const effect = Math.round(difference.effect * 100) / 100;
    compared.push({
      item_id,
      flagged: item_class === 'small' ? undefined : { item_id, trait: item.trait, item_class, effect },
    });
  }
  const flagged = compared.flatMap((each) => each.flagged ?? []);
  return {
    ...splitKey(key),
    reference: splitKey(reference).group,
    compared: compared.length,
    moderate: flagged.filter(({ item_class }) => item_class === 'moderate').length,
    large: flagged.filter(({ item_class }) => item_class === 'large').length,
    items: flagged
      .toSorted(
        (one, other) =>
          Math.abs(other.effect) - Math.abs(one.effect) || (one.item_id < other.item_id ? -1 : 1),
      )
      .slice(0, items_listed_max),
  };
}

function listStrata(
  reference: Uint32Array | undefined,
  focal: Uint32Array,
  options: number,
): readonly Stratum[] {
  return Array.from({ length: level_ends.length + 1 }, (_, level) => {
    const read = (counts: Uint32Array | undefined) =>
      Array.from({ length: options }, (__, option) => counts?.[level * options_max + option] ?? 0);
    return { reference: read(reference), focal: read(focal) };
  });
}

function hasEnoughAnswers(strata: readonly Stratum[]): boolean {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const focal = strata.reduce((total, stratum) => total + sum(stratum.focal), 0);
  const reference = strata.reduce((total, stratum) => total + sum(stratum.reference), 0);
  return Math.min(focal, reference) >= focal_answers_min && focal + reference >= answers_min;
}

function splitKey(key: string): Pick<GroupItems, 'attribute' | 'group'> {
  const [attribute, group] = key.split(' ') as [GroupItems['attribute'], string];
  return { attribute, group };
}

type Keyed = Pick<GroupItems, 'attribute' | 'group'>;

function compareKeys(one: Keyed, other: Keyed): number {
  const place = ({ attribute }: Keyed) => identityAttributes.findIndex((each) => each === attribute);
  return place(one) - place(other) || (one.group < other.group ? -1 : 1);
}
