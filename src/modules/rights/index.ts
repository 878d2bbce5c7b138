export { buildDataExport } from './copies/build-data-export.ts';
export { exportMemberData } from './copies/export-member-data.ts';
export { deleteAccount } from './deletion/delete-account.ts';
export { eraseMemberData, eraseMembers } from './deletion/erase-members.ts';
export { forgetDataExports } from './copies/forget-data-exports.ts';
export { erasePersonalData, exportPersonalData } from './personal-data.ts';
export { readDataExport } from './copies/read-data-export.ts';
export { startDataExport } from './copies/start-data-export.ts';
export { withdrawAllConsent } from './deletion/withdraw-all-consent.ts';
