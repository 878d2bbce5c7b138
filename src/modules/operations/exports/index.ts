export { exportBiasReport } from './bias/export-bias-report.ts';
export { readFairness } from './bias/population/read-fairness.ts';
export { measurePopulation } from './bias/population/measure-population.ts';
export { exportMatches } from './matches/export-matches.ts';
export { exportMatchReport } from './match-report/export-match-report.ts';
