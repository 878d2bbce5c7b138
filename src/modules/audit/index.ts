export { erase, exportOf } from './personal-data.ts';
export { readAuditLog } from './read-audit-log.ts';
export { recordAudit, type Audited } from './record-audit.ts';
