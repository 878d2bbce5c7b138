import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import {
  computeSupportedDistance,
  toTraitSlot,
  traitCodes,
  traitFamilies,
  traitNames,
  type TraitCode,
  type TraitPriorities,
} from '#modules/measurement/traits';
import { listDescribedTraits } from './described-traits.ts';
import { formatStanding, listQuestions } from './standing-words.ts';
import { describeStandings } from './standings.ts';

const jobs: fc.Arbitrary<TraitPriorities> = fc.dictionary(
  fc.constantFrom(...traitCodes),
  fc.double({ min: 0, max: 1, noNaN: true }),
);
const fillSlots = (value: fc.Arbitrary<number>) => fc.array(value, { minLength: 20, maxLength: 20 });
const members = fc.record({
  mean: fillSlots(fc.integer({ min: -300, max: 300 }).map((each) => each / 100)),
  variance: fillSlots(fc.integer({ min: 1, max: 100 }).map((each) => each / 100)),
});

const integrity: readonly TraitCode[] = traitFamilies.integrity_trust;

test('a standing has a side only where the bounds support it, or where it is likely by at least 0.9', () => {
  const found = new Set<string>();
  fc.assert(
    fc.property(jobs, members, (job, member) => {
      for (const { code, standing, side } of describeStandings(job, member)) {
        const slot = traitCodes.indexOf(code);
        const [mean, variance] = [member.mean[slot]!, member.variance[slot]!];
        const sd = Math.sqrt(variance);
        const sign = side?.endsWith('above') ? 1 : side?.endsWith('below') ? -1 : 0;
        found.add(`${standing} ${side}`);
        expect(standing === 'clear' && sign !== Math.sign(computeSupportedDistance({ mean, variance }))).toBe(
          false,
        );
        expect(side === 'middle' && Math.abs(mean) + 1.96 * sd > 0.8417).toBe(false);
        expect(side?.startsWith('far') && sign * mean - 1.96 * sd < 0.8415).not.toBe(true);
        expect(standing === 'likely' && sign * mean < 1.2815 * sd).toBe(false);
        expect(side === null).toBe(standing === 'open');
      }
    }),
    { numRuns: 2000 },
  );
  expect([...found].toSorted()).toEqual([
    'clear above',
    'clear below',
    'clear far_above',
    'clear far_below',
    'clear middle',
    'likely above',
    'likely below',
    'open null',
  ]);
});

test('the job alone decides which traits are described: the three to five that it asks most, without integrity', () => {
  fc.assert(
    fc.property(jobs, members, (job, member) => {
      const described = describeStandings(job, member).map(({ code }) => code);
      expect(described).toEqual(listDescribedTraits(job));
      const asked = traitCodes.filter((code) => (job[code] ?? 0) > 0 && !integrity.includes(code));
      expect(described.length).toBeGreaterThanOrEqual(Math.min(3, asked.length));
      expect(described.length).toBeLessThanOrEqual(5);
      const least = Math.min(...described.map((code) => job[code]!));
      const omitted = asked.filter((code) => !described.includes(code));
      for (const code of omitted) expect(job[code]).toBeLessThanOrEqual(least);
    }),
  );
});

test('a fourth trait is described from half of the highest priority on', () => {
  const asked = { persistence: 1, analytical_depth: 0.2, autonomy_drive: 0.1 };
  expect(listDescribedTraits({ ...asked, purpose_orientation: 0.09 })).toEqual(Object.keys(asked));
  expect(
    listDescribedTraits({ persistence: 1, analytical_depth: 0.9, autonomy_drive: 0.8, decision_mode: 0.5 }),
  ).toHaveLength(4);
});

test('members who differ in other traits or in integrity alone have equal standings', () => {
  fc.assert(
    fc.property(jobs, members, (job, member) => {
      const described = listDescribedTraits(job);
      const mean = member.mean.map((each, slot) =>
        described.includes(traitCodes[slot]!) ? each : -each - 1,
      );
      expect(describeStandings(job, { ...member, mean })).toEqual(describeStandings(job, member));
    }),
  );
});

test('a person is far from the average or not, and how far changes nothing more', () => {
  const job = { persistence: 1 };
  const [near, nearer, far, farther] = [0.9, 1.3, 1.6, 3].map((mean) =>
    describeStandings(job, { mean: traitCodes.map(() => mean), variance: traitCodes.map(() => 0.1) }),
  );
  expect([near, farther]).toEqual([nearer, far]);
  expect(near).not.toEqual(far);
});

test('a trait is the most or the least pronounced only where that is as probable as the words say', () => {
  const random = createSeededRandom(3);
  const [held, said] = [
    { clear: 0, likely: 0 },
    { clear: 0, likely: 0 },
  ];
  const job = { persistence: 1, analytical_depth: 0.9, autonomy_drive: 0.8 };
  for (let person = 0; person < 3_000; person += 1) {
    const actual = traitCodes.map(() => drawStandardNormal(random));
    // The mean and the variance that are left after a measurement with the reliability 0.8.
    const mean = actual.map((each) => 0.8 * (each + 0.5 * drawStandardNormal(random)));
    for (const { code, extreme } of describeStandings(job, { mean, variance: traitCodes.map(() => 0.2) })) {
      if (!extreme) continue;
      const others = Object.keys(job).filter((other) => other !== code);
      const sign = extreme.extreme === 'most' ? 1 : -1;
      const compareWith = (other: string) =>
        sign * (actual[toTraitSlot(code)]! - actual[toTraitSlot(other as TraitCode)]!);
      said[extreme.certainty] += 1;
      if (others.every((other) => compareWith(other) > 0)) held[extreme.certainty] += 1;
    }
  }
  expect(Math.min(said.clear, said.likely)).toBeGreaterThan(500);
  expect(held.clear / said.clear).toBeGreaterThan(0.975);
  expect(held.likely / said.likely).toBeGreaterThan(0.9);
});

test('of two traits only the more pronounced is named, and a single one is compared with nothing', () => {
  fc.assert(
    fc.property(jobs, members, (job, member) => {
      const extremes = describeStandings(job, member).flatMap(({ extreme }) => extreme?.extreme ?? []);
      const count = listDescribedTraits(job).length;
      expect(extremes.length).toBeLessThanOrEqual(Math.max(0, Math.min(2, count - 1)));
      expect(new Set(extremes).size).toBe(extremes.length);
      expect(count === 2 && extremes.includes('least')).toBe(false);
    }),
  );
});

test('a reason is a sentence without digits, and different for each of the eight standings, alone and standing out', () => {
  const reasons = new Map<string, string>();
  fc.assert(
    fc.property(jobs, members, (job, member) => {
      for (const described of describeStandings(job, member)) {
        const { code, standing, side, extreme } = described;
        const reason = formatStanding(described);
        expect(reason).toMatch(/^[A-Z][^\p{N}]+\.$/u);
        expect(reason.startsWith(`${traitNames[code]}: `)).toBe(true);
        reasons.set(
          reason.slice(traitNames[code].length),
          `${standing} ${side} ${extreme?.extreme} ${extreme?.certainty}`,
        );
        expect(reason.split('. ')).toHaveLength(1);
      }
    }),
    { numRuns: 2000 },
  );
  expect(reasons.size).toBeGreaterThan(8);
  expect(new Set(reasons.values()).size).toBe(reasons.size);
});

test('questions are about what is open first, then about what is likely, and never about what is clear', () => {
  fc.assert(
    fc.property(jobs, members, (job, member) => {
      const standings = describeStandings(job, member);
      const open = standings.filter(({ standing }) => standing === 'open');
      const likely = standings.filter(({ standing }) => standing === 'likely');
      const questions = listQuestions(standings);
      expect(questions).toHaveLength(Math.min(2, open.length + likely.length));
      expect(questions).toEqual(listQuestions([...open, ...likely].slice(0, 2)));
      for (const question of questions) expect(question).toMatch(/^[A-Z][^\p{N}]+\?$/u);
    }),
  );
  const asked = traitCodes.map(
    (code) => listQuestions([{ code, standing: 'open', side: null, extreme: null }])[0],
  );
  expect(new Set(asked).size).toBe(traitCodes.length);
});
