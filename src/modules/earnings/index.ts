export { erasePersonalData, exportPersonalData } from './personal-data.ts';
export { recordRead, type NewRead } from './record-read.ts';
