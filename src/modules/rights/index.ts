export { buildDataExport } from './build-data-export.ts';
export { collected, longCsv } from './collected.ts';
export { deleteAccount } from './delete-account.ts';
export { eraseMembers } from './erase-members.ts';
export { forgetDataExports } from './forget-data-exports.ts';
export { erase, exportOf } from './personal-data.ts';
export { readDataExport } from './read-data-export.ts';
export { startDataExport } from './start-data-export.ts';
export { withdrawAllConsent } from './withdraw-all-consent.ts';
