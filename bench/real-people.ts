import { requireData } from './lib/shared-data.ts';
import { measureCoverage } from './real-people/coverage.ts';
import { measureFunctioning } from './real-people/differential-functioning.ts';
import { countFlagged } from './real-people/flagged.ts';
import { compareGroupTiers } from './real-people/groups.ts';
import { readPeople } from './real-people/people.ts';
import { comparePrecision } from './real-people/precision.ts';
import { measureRetest } from './real-people/retest.ts';
import { compareStopping } from './real-people/stopping.ts';
import { measureTiers } from './real-people/tiers.ts';

const title = 'The measurement on real people';

/**
 * Measures real people with the functions of the service: the bank is calibrated with half of them, and every figure is about the other half.
 * Each file of `real-people/` computes figures. It measures no time.
 */
export const runBenchmark = requireData(title, async ({ quick }) => {
  const people = await readPeople(quick);
  const precision = comparePrecision(people);
  const figures = [
    ...precision.figures,
    ...measureCoverage(people),
    ...countFlagged(people),
    ...(await measureFunctioning()),
    ...(await measureRetest()),
    ...(await compareGroupTiers(people, quick)),
  ];
  const rows = figures.map(({ name, earlier, now, target }) => [name, earlier, now, target]);
  return {
    title,
    tables: [
      { head: ['figure', 'earlier', 'now', 'target'], rows },
      ...precision.tables,
      ...(await measureTiers(people, quick)),
      await compareStopping(quick),
    ],
    notes: [`${people.others.length} people who were not used for the calibration.`],
  };
});
