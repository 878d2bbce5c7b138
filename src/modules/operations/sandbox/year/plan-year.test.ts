import fc from 'fast-check';
import { expect, test } from 'vitest';
import { account_count, year_days } from '../rules.ts';
import { planYear, type Act } from './plan-year.ts';

const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });

test('the same seed gives the same year, and another seed another', () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 1, max: account_count }), (seed, members) => {
      expect(planYear(seed, members)).toEqual(planYear(seed, members));
      expect(planYear(seed, members)).not.toEqual(planYear((seed + 1) % 2 ** 32, members));
    }),
    { numRuns: 30 },
  );
});

test('all acts are within the year, in the order of their days, and about members who exist', () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 1, max: account_count }), (seed, members) => {
      const acts = planYear(seed, members);
      const days = acts.map(({ day }) => day);
      expect(days).toEqual(days.toSorted((one, other) => one - other));
      for (const act of acts) {
        expect([act.day >= 0, act.day < year_days, act.day % 7]).toEqual([true, true, 0]);
        const { member } = { member: 1, ...act };
        expect(member >= 1 && member <= members).toBe(true);
      }
      expect(acts.length).toBeLessThan(4_000);
    }),
    { numRuns: 30 },
  );
});

test('feedback is planned after its stage has opened, even for a placement that began a week later', () => {
  const acts = planYear(1, account_count);
  const findHire = (job: number) => acts.find((act) => act.kind === 'hire' && act.job === job)!;
  const given = acts.filter(
    (act): act is Extract<Act, { kind: 'giveFeedback' }> => act.kind === 'giveFeedback',
  );
  expect(given.length).toBeGreaterThan(100);
  for (const { day, job, stage_days } of given)
    expect(day - findHire(job).day).toBeGreaterThan(stage_days + 7);
});
