export { exportMatches } from './matches/export-matches.ts';
