import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { english } from './english.ts';

const modules = path.join(import.meta.dirname, '../../modules');

/** Acts that no organisation reads in its log: those of members for themselves, and those of the operator or the service. */
const withoutOrganisation: readonly string[] = [
  'consent.category_approved',
  'consent.category_disapproved',
  'consent.granted',
  'consent.withdrawn',
  'credentials.issued',
  'credentials.revoked',
  'identity.claimed',
  'identity.stub_deleted',
  'items.calibrated',
  'items.calibration_started',
  'items.decision_undone',
  'items.finding_decided',
  'items.findings_recorded',
  'items.deleted',
  'items.imported',
  'items.language_added',
  'items.linked',
  'items.put_into_use',
  'items.seeded',
  'items.taken_up',
  'keys.revoked',
  'keys.rotated',
  'ledger.journal_reversed',
  'ledger.payout_requested',
  'ledger.payout_returned',
  'matching.all_recomputation_started',
  'policies.promotion_started',
  'queries.proposed',
  'rights.data_export_requested',
  'rights.deletion_cancelled',
  'rights.deletion_requested',
  'rights.member_erased',
  'sandbox.clock_advanced',
  'sandbox.year_cancelled',
  'sandbox.year_started',
  'tasks.failure_retried',
  'tasks.failures_retried',
  'traits.rescored',
  'wallets.delivered',
  'wallets.offered',
  'work.started',
];

test('every act in the audit log of an organisation has words', () => {
  const acts = new Set(listSources(modules).flatMap(listActs));
  const missing = [...acts].filter((act) => !Object.hasOwn(english.audit.actions, act)).toSorted();
  expect(acts.size).toBeGreaterThan(75);
  expect(missing).toEqual(withoutOrganisation.toSorted());
});

function listSources(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'));
}

/** The acts that a file names as the action of an audit entry. */
function listActs(source: string): readonly string[] {
  return [...source.matchAll(/\baction: ([^,;}]+)/g)].flatMap(([, expression]) =>
    [...expression!.matchAll(/(?<!=== )'([a-z]+\.[a-z_]+)'/g)].map(([, act]) => act!),
  );
}
