export { erasePersonalData, exportPersonalData } from './personal-data.ts';
export { readAuditLog } from './read-audit-log.ts';
export { recordAudit, recordCallerAudit, type NewAuditEntry } from './record-audit.ts';
