export { computeLegibility } from './legibility/compute-legibility.ts';
export { erasePersonalData, exportPersonalData } from './personal-data.ts';
export { recordRead, type NewRead } from './record-read.ts';
export type { Legibility } from './legibility/rules.ts';
