import { earlier_factor } from '../disclosure/column-sets.ts';
import type { Tally } from '../disclosure/count-bases.ts';
import { mapAttributes, type ReportAttribute } from '../rules.ts';
import { readShownColumns, type EarlierReport } from './hide-numbers.ts';
import { findGroup, formatKind, listColumns, tiers, type Kinds } from './kinds.ts';
import type { BiasCounts } from './release-rules.ts';
import { mark_bytes, type MarkedPeople } from './store-people.ts';

/** The marks of the people of each kind, one after the other, in base64. They name nobody, and say nothing about groups. */
export type StoredMarks = Readonly<Record<string, string>>;

/** A report that an organisation has seen, with the marks of those whom it counted. */
export type SeenCounts = {
  readonly counts: Pick<BiasCounts, 'kinds' | 'shown' | 'median_tier'>;
  readonly people: StoredMarks;
};

/** Builds what is stored of people with their count, so that a later count can be compared person by person. */
export function buildMarks(rows: readonly MarkedPeople[]): StoredMarks {
  const byKind = Object.groupBy(rows, formatKind);
  return Object.fromEntries(
    Object.entries(byKind).map(([kind, same]) => [
      kind,
      Buffer.concat(same!.map(({ marks }) => marks)).toString('base64'),
    ]),
  );
}

/** Pairs what people are now with what they were when an earlier report counted them. */
export function joinPeople(
  rows: readonly MarkedPeople[],
  { counts, people }: SeenCounts,
  median_tier: number,
): EarlierReport {
  const kindsThen = readMarks(people);
  const pairs = rows.flatMap((row) => joinRow(row, kindsThen));
  const listPair = createPairs(median_tier, tiers.indexOf(counts.median_tier as (typeof tiers)[number]));
  const tallies = mapAttributes((attribute): ReadonlyMap<string, Tally> => {
    const groups = new Map<string, Map<number, number>>();
    for (const { row, before, now, count } of pairs)
      addTo(groups, findGroup(attribute, row), listPair(before, now), count);
    for (const { group, before, count } of listLeavers(attribute, pairs, counts.kinds))
      addTo(groups, group, listPair(before, undefined), count);
    return groups;
  });
  return { shown: readShownColumns(counts.shown), tallies };
}

/** People of a row, and their kinds in both reports. */
type Pair = {
  readonly row: MarkedPeople;
  readonly before: string | undefined;
  readonly now: string;
  readonly count: number;
};

/** Lists the columns of both reports that people of two kinds are in. There are many people of a kind, so it remembers what it has listed. */
function createPairs(
  median_tier: number,
  medianThen: number,
): (before: string | undefined, now: string | undefined) => number {
  const listOnce = (median: number) => {
    const listed = new Map<string | undefined, number>([[undefined, 0]]);
    return (kind: string | undefined) => {
      const known = listed.get(kind) ?? listColumns(kind!, median);
      listed.set(kind, known);
      return known;
    };
  };
  const [listNow, listThen] = [listOnce(median_tier), listOnce(medianThen)];
  return (before, now) => listNow(now) + listThen(before) * earlier_factor;
}

function readMarks(people: StoredMarks): ReadonlyMap<string, string> {
  const kinds = new Map<string, string>();
  for (const [kind, text] of Object.entries(people))
    for (const mark of splitMarks(Buffer.from(text, 'base64'))) kinds.set(mark, kind);
  return kinds;
}

function splitMarks(marks: Uint8Array): readonly string[] {
  const bytes = Buffer.from(marks.buffer, marks.byteOffset, marks.byteLength);
  return Array.from({ length: bytes.length / mark_bytes }, (_, place) =>
    bytes.toString('latin1', place * mark_bytes, (place + 1) * mark_bytes),
  );
}

function joinRow(row: MarkedPeople, kindsThen: ReadonlyMap<string, string>): readonly Pair[] {
  const counts = new Map<string | undefined, number>();
  for (const mark of splitMarks(row.marks)) {
    const before = kindsThen.get(mark);
    counts.set(before, (counts.get(before) ?? 0) + 1);
  }
  const now = formatKind(row);
  return [...counts].map(([before, count]) => ({ row, before, now, count }));
}

/**
 * Lists those whom the earlier report counted in a group and who are not in it now. Their marks have no group, so they are what is left of each kind
 * after those who are still there.
 */
function listLeavers(
  attribute: ReportAttribute,
  pairs: readonly Pair[],
  kinds: BiasCounts['kinds'],
): readonly { readonly group: string; readonly before: string; readonly count: number }[] {
  const here = new Map<string, number>();
  for (const { row, before, count } of pairs) {
    const key = `${findGroup(attribute, row)} ${before ?? ''}`;
    here.set(key, (here.get(key) ?? 0) + count);
  }
  return Object.entries(kinds[attribute]).flatMap(([group, ofGroup]: [string, Kinds]) =>
    Object.entries(ofGroup)
      .map(([before, count]) => ({ group, before, count: count - (here.get(`${group} ${before}`) ?? 0) }))
      .filter(({ count }) => count > 0),
  );
}

function addTo(groups: Map<string, Map<number, number>>, group: string, kind: number, count: number): void {
  const tally = groups.get(group) ?? new Map<number, number>();
  groups.set(group, tally);
  tally.set(kind, (tally.get(kind) ?? 0) + count);
}
