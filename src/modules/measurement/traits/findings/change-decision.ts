import { createFieldRefusal, Refusal, requireFound } from '#lib/refusal.ts';
import { recordAudit, type NewAuditEntry } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { putIntoUse, type VersionChange } from '../calibration/use-parameters.ts';
import { listChoices, type Finding, type FindingDecision } from '../parameters/findings.ts';
import { resolveVersionInUse } from '../parameters/parameters-in-use.ts';
import { lockUses } from '../parameters/store.ts';
import { lockFinding, updateDecision } from '../parameters/store-findings.ts';

type Services = Pick<Platform, 'now' | 'queue'>;
type Actor = NewAuditEntry['actor'];

/** A finding after a change, and the versions in use after and before it. */
export type DecisionChange = { readonly finding: Finding } & VersionChange;

export type Decided = {
  readonly id: string;
  readonly decision: FindingDecision;
  /** Which statement of a pair to retire. */
  readonly item_id?: string | undefined;
};

/**
 * Stores a decision about an open finding and puts the version in use that the decisions now lead to, with which a task scores all stored answers.
 *
 * @throws Refusal `finding_not_found`, `finding_decided`, or `field_invalid` for a decision that this finding does not offer.
 */
export async function decide(
  services: Services,
  tx: Transaction,
  { id, decision, item_id }: Decided,
  actor: Actor,
): Promise<DecisionChange> {
  await lockUses(tx);
  const finding = requireFound(await lockFinding(tx, id), 'finding_not_found');
  if (finding.decision !== null) throw new Refusal('finding_decided');
  const retired_item = selectRetiredItem(finding, decision, item_id);
  const decided = { decision, retired_item, decided_at: services.now() };
  await updateDecision(tx, id, decided);
  return applyChange(services, tx, { ...finding, ...decided }, { actor, action: 'items.finding_decided' });
}

/**
 * Takes a decision back: the finding is open again, and the version is in use that the other decisions lead to. Without others that is the
 * version that was in use before any decision, with its results.
 *
 * @throws Refusal `finding_not_found` or `finding_undecided`.
 */
export async function withdrawDecision(
  services: Services,
  tx: Transaction,
  id: string,
  actor: Actor,
): Promise<DecisionChange> {
  await lockUses(tx);
  const finding = requireFound(await lockFinding(tx, id), 'finding_not_found');
  if (finding.decision === null) throw new Refusal('finding_undecided');
  const open = { decision: null, retired_item: null, decided_at: null };
  await updateDecision(tx, id, open);
  const change = await applyChange(services, tx, finding, { actor, action: 'items.decision_undone' });
  return { ...change, finding: { ...finding, ...open } };
}

/** Returns the statement to retire where a finding is about two; otherwise null. @throws Refusal `field_invalid`. */
function selectRetiredItem(
  { kind, item_ids }: Finding,
  decision: FindingDecision,
  item_id: string | undefined,
): string | null {
  const choices = listChoices(kind);
  if (!choices.includes(decision))
    throw createFieldRefusal('field_invalid', '/decision', `must be one of ${choices.join(', ')} here`);
  const isOneOfTwo = kind === 'dependent' && decision === 'retire';
  if (isOneOfTwo && (item_id === undefined || !item_ids.includes(item_id)))
    throw createFieldRefusal('field_invalid', '/item_id', `must be ${item_ids.join(' or ')}`);
  if (!isOneOfTwo && item_id !== undefined)
    throw createFieldRefusal('field_invalid', '/item_id', 'is only for retiring one statement of a pair');
  return item_id ?? null;
}

async function applyChange(
  services: Services,
  tx: Transaction,
  finding: Finding,
  { actor, action }: { readonly actor: Actor; readonly action: NewAuditEntry['action'] },
): Promise<DecisionChange> {
  const version = await resolveVersionInUse(tx);
  const change = await putIntoUse(services, tx, { version, actor });
  if (!change) throw new Error(`version ${version} of the item parameters does not exist`);
  await recordAudit(tx, {
    now: services.now(),
    actor,
    action,
    detail: {
      finding_id: finding.id,
      statements: (finding.retired_item ? [finding.retired_item] : finding.item_ids).join(' '),
      choice: finding.decision,
      version: change.in_use,
    },
  });
  return { finding, ...change };
}
