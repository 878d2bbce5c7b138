import { recordAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import type { FindingKind, NewFinding } from './findings.ts';
import { deleteOutdatedFindings, upsertFindings, type Examination } from './store-findings.ts';

type Examined = Examination & { readonly findings: readonly NewFinding[] };

/**
 * Stores what an examination of the statements found, in place of the open findings of these kinds that an older one had. A drift stays open
 * until somebody decides, because the next calibration does not compare the same versions.
 */
export async function recordFindings(
  tx: Transaction,
  kinds: readonly FindingKind[],
  { findings, ...examination }: Examined,
): Promise<void> {
  await upsertFindings(tx, findings, examination);
  await deleteOutdatedFindings(
    tx,
    kinds.filter((kind) => kind !== 'drifted'),
    examination,
  );
  if (findings.length === 0) return;
  const { now, parameter_version: version } = examination;
  await recordAudit(tx, {
    now,
    actor: null,
    action: 'items.findings_recorded',
    detail: { version, count: findings.length },
  });
}
