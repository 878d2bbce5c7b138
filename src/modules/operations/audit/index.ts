export { personalData } from './personal-data.ts';
export { forgetEntries } from './forget-entries.ts';
export { readAuditLog } from './read-audit-log.ts';
export { recordAudit, recordCallerAudit, type NewAuditEntry } from './record-audit.ts';
export { listStatusChanges } from './store.ts';
export type { AuditFact } from './rules.ts';
