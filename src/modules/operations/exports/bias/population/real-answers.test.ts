import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { compareGroups } from '../compare-groups.ts';

const data = process.env['BENCH_DATA'] ?? path.join(import.meta.dirname, '../../../../../../../shared/data');
const published = path.join(data, 'bfi/bfi-calibration.csv');

const traits = ['A', 'C', 'E', 'N', 'O'] as const;
type Trait = (typeof traits)[number];
const reversed = new Set(['A1', 'C4', 'C5', 'E1', 'E2', 'O2', 'O5']);
const options = 6;

const items = traits.flatMap((trait) => [1, 2, 3, 4, 5].map((place) => `${trait}${place}`));

type Person = {
  readonly gender: 'man' | 'woman';
  readonly age: number;
  readonly answers: ReadonlyMap<string, number>;
  readonly scores: readonly number[];
};

function readPeople(): readonly Person[] {
  const rows = parse(readFileSync(published), { columns: true }) as Readonly<Record<string, string>>[];
  const people = rows.flatMap((row) => {
    const answers = new Map(
      items
        .filter((id) => row[id] !== undefined && row[id] !== '' && row[id] !== 'NA')
        .map((id) => [id, reversed.has(id) ? options - Number(row[id]) : Number(row[id]) - 1]),
    );
    // The published code book: 1 is male and 2 is female.
    const gender = ({ 1: 'man', 2: 'woman' } as const)[row['gender']!];
    return gender && answers.size === 25 ? [{ gender, age: Number(row['age']), answers }] : [];
  });
  const sums = people.map(({ answers }) => traits.map((trait) => sumTrait(answers, trait)));
  const standards = traits.map((_, slot) => computeStandard(sums.map((each) => each[slot]!)));
  return people.map((person, index) => ({
    ...person,
    scores: sums[index]!.map((sum, slot) => (sum - standards[slot]!.mean) / standards[slot]!.deviation),
  }));
}

const sumTrait = (answers: ReadonlyMap<string, number>, trait: Trait) =>
  [...answers].reduce((sum, [id, option]) => sum + (id.startsWith(trait) ? option : 0), 0);

function computeStandard(values: readonly number[]): { readonly mean: number; readonly deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    mean,
    deviation: Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length),
  };
}

/** Compares how many of each group are above the mean of a trait, as the report compares ratings. */
function compareScores(people: readonly Person[], trait: Trait, getGroup: (person: Person) => string) {
  const slot = traits.indexOf(trait);
  const groups = [...Map.groupBy(people, getGroup)].map(([group, all]) => {
    const above = all.filter(({ scores }) => scores[slot]! > 0).length;
    const nobody = { above_median: 0, org_interested: 0, member_accepted: 0, placed: 0 };
    return [group, { ...nobody, matched: all.length, rated_strong: above }] as const;
  });
  const rows = compareGroups(
    Object.fromEntries(groups),
    { selection: 'rated_strong', of: 'matched' },
    people.length,
  );
  return Object.fromEntries(rows.map((row) => [row.group, row]));
}

describe.skipIf(!existsSync(published))('real answers (skipped if ../shared/data/bfi is absent)', () => {
  const people = existsSync(published) ? readPeople() : [];

  test('the known differences of women and men appear, and are marked as significant', () => {
    expect(people.length).toBeGreaterThan(1_000);
    for (const trait of ['A', 'N'] as const) {
      const { man, woman } = compareScores(people, trait, ({ gender }) => gender);
      expect([trait, woman!.impact_ratio, man!.flag]).toEqual([trait, 1, 'significant']);
    }
  });

  test('so does the known difference of age: older people are more agreeable', () => {
    const rows = compareScores(people, 'A', ({ age }) =>
      age < 25 ? 'under_25' : age < 45 ? 'middle' : 'older',
    );
    expect(rows['older']!.impact_ratio).toBe(1);
    expect(rows['under_25']!.flag).toBe('significant');
  });
});
