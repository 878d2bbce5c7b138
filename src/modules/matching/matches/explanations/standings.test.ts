import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  computeSupportedDistance,
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
        const sign = side === 'above' ? 1 : side === 'below' ? -1 : 0;
        found.add(`${standing} ${side}`);
        expect(standing === 'clear' && sign !== Math.sign(computeSupportedDistance({ mean, variance }))).toBe(
          false,
        );
        expect(side === 'middle' && Math.abs(mean) + 1.96 * sd > 0.8417).toBe(false);
        expect(standing === 'likely' && sign * mean < 1.2815 * sd).toBe(false);
        expect(side === null).toBe(standing === 'open');
      }
    }),
    { numRuns: 2000 },
  );
  expect([...found].toSorted()).toEqual([
    'clear above',
    'clear below',
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

test('how far a person is from the average changes nothing once the side is clear', () => {
  const job = { persistence: 1 };
  const standings = [0.9, 1.5, 3].map((mean) =>
    describeStandings(job, { mean: traitCodes.map(() => mean), variance: traitCodes.map(() => 0.1) }),
  );
  expect(standings).toEqual(standings.map(() => standings[0]));
});

test('a reason is a sentence without digits, and different for each of the six standings', () => {
  const reasons = new Map<string, string>();
  fc.assert(
    fc.property(jobs, members, (job, member) => {
      for (const described of describeStandings(job, member)) {
        const { code, standing, side } = described;
        const reason = formatStanding(described);
        expect(reason).toMatch(/^[A-Z][^\p{N}]+\.$/u);
        expect(reason.startsWith(`${traitNames[code]}: `)).toBe(true);
        reasons.set(reason.slice(traitNames[code].length), `${standing} ${side}`);
      }
    }),
    { numRuns: 2000 },
  );
  expect(reasons.size).toBe(6);
  expect(new Set(reasons.values()).size).toBe(6);
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
  const asked = traitCodes.map((code) => listQuestions([{ code, standing: 'open', side: null }])[0]);
  expect(new Set(asked).size).toBe(traitCodes.length);
});
