export { exportBiasReport } from './bias/export-bias-report.ts';
export { exportMatches } from './matches/export-matches.ts';
