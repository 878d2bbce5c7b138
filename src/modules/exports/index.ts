export { exportMemberData } from './export-member-data.ts';
