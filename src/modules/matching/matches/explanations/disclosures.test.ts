import { expect, test } from 'vitest';
import type { MatchQuality } from '#modules/matching/engine';
import { choosePeopleToDisclose, type Disclosure } from './disclosures.ts';

const day_ms = 24 * 3_600_000;
const now = new Date('2026-03-02T00:00:00Z');
const here = { org_id: 'ours', job_id: 'job', version: 2, now };

const listTier = (match_quality: MatchQuality, count: number, from = 0) =>
  Array.from({ length: count }, (_, place) => ({
    member_id: `${match_quality} ${from + place}`,
    match_quality,
  }));

/** Chooses among people who all allow it. */
function choose(
  matches: readonly { readonly member_id: string; readonly match_quality: MatchQuality }[],
  disclosed: readonly Disclosure[] = [],
  describable = new Set(matches.map(({ member_id }) => member_id)),
) {
  return choosePeopleToDisclose({ matches, describable, disclosed }, here);
}

const buildDisclosure = (member_id: string, change: Partial<Disclosure> = {}): Disclosure => ({
  member_id,
  org_id: 'ours',
  job_id: 'job',
  version: 1,
  disclosed_at: new Date(now.getTime() - day_ms),
  ...change,
});

test('the first fifty of each tier are described, and people who come later fill it up', () => {
  const matches = [...listTier('exceptional', 60), ...listTier('moderate', 3)];
  const first = choose(matches);
  expect(first).toEqual(
    [...listTier('exceptional', 50), ...listTier('moderate', 3)].map(({ member_id }) => member_id),
  );
  const disclosed = first.map((member_id) => buildDisclosure(member_id, { version: 2 }));
  expect(choose(matches, disclosed)).toEqual([]);
  const more = [...matches, ...listTier('moderate', 1, 3)];
  expect(choose(more, disclosed)).toEqual(['moderate 3']);
});

test('nobody is described again within a year, in any job, version or organisation of the owner', () => {
  const matches = listTier('strong', 4);
  const disclosed = [
    buildDisclosure('strong 0'),
    buildDisclosure('strong 1', { job_id: 'other', disclosed_at: new Date(now.getTime() - 364 * day_ms) }),
    buildDisclosure('strong 2', { org_id: 'sister', disclosed_at: now }),
    buildDisclosure('strong 3', { disclosed_at: new Date(now.getTime() - 365 * day_ms) }),
  ];
  expect(choose(matches, disclosed)).toEqual(['strong 3']);
  // What a sister reads is not read again here.
  expect(
    choose(listTier('strong', 1), [buildDisclosure('strong 0', { version: 2, org_id: 'sister' })]),
  ).toEqual([]);
});

test('nobody is described who has not agreed to it', () => {
  const matches = listTier('strong', 3);
  expect(choose(matches, [], new Set(['strong 1']))).toEqual(['strong 1']);
});
