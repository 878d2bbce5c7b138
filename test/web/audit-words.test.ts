import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { orgRoles } from '#lib/caller.ts';
import { updateJob } from '#modules/matching/jobs';
import { updateOrganisation } from '#modules/organisations/orgs';
import { dataTypes } from '#modules/income/reads';
import { reviewOutcomes } from '#modules/matching/reviews';
import { updateSubscription } from '#modules/operations/webhooks';
import { prioritiesChoices } from '../../src/modules/matching/jobs/priorities-choice.ts';
import { matchStatuses } from '../../src/modules/matching/matches/rules.ts';
import { outcomes } from '../../src/modules/matching/placements/rules.ts';
import { english } from '../../src/web/texts/english.ts';

const folder = path.join(import.meta.dirname, '../../src/modules');

/** Actions whose entries name no organisation, so that no organisation reads them, by the reason. */
const withoutOrganisation: Readonly<Record<string, readonly string[]>> = {
  'they concern a member alone': [
    'consent.category_approved',
    'consent.category_disapproved',
    'consent.granted',
    'consent.withdrawn',
    'credentials.issued',
    'credentials.revoked',
    'identity.claimed',
    'identity.stub_deleted',
    'ledger.payout_requested',
    'rights.data_export_requested',
    'rights.deletion_cancelled',
    'queries.proposed',
    'rights.deletion_requested',
    'rights.member_erased',
    'wallets.delivered',
    'wallets.offered',
  ],
  'they concern the whole service': [
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
    'ledger.payout_returned',
    'matching.all_recomputation_started',
    'policies.promoted',
    'policies.promotion_started',
    'policies.rolled_back',
    'sandbox.clock_advanced',
    'sandbox.year_cancelled',
    'sandbox.year_started',
    'tasks.failure_retried',
    'tasks.failures_retried',
    'traits.rescored',
    'work.started',
  ],
};

test('every action that an organisation reads in its audit log has words, or is on the list of those that it never reads', () => {
  const { actions } = english.audit;
  const unnamed = listActions().filter((action) => !Object.hasOwn(actions, action));
  expect(unnamed).toEqual(Object.values(withoutOrganisation).flat().toSorted());
});

test('every code among the facts of an entry has words', () => {
  const codes = [
    ...orgRoles,
    ...dataTypes,
    ...reviewOutcomes,
    ...matchStatuses,
    ...outcomes,
    ...prioritiesChoices,
  ];
  expect(codes.filter((code) => !Object.hasOwn(english.audit.values, code))).toEqual([]);
  const changeable = [updateJob, updateOrganisation, updateSubscription].flatMap(({ input }) =>
    Object.keys(input.properties).filter((name) => !name.endsWith('_id') && name !== 'priorities_choice'),
  );
  expect(changeable.filter((name) => !Object.hasOwn(english.audit.fields, name))).toEqual([]);
});

/** The codes in `action: '…'`, and in both branches of `action: … ? '…' : '…'`, without those that a condition compares. */
function listActions(): readonly string[] {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .filter((source) => /\brecord(?:Caller)?Audit\b/.test(source));
  const codes = sources.flatMap((source) =>
    [...source.matchAll(/\b(?:action:|audited =) ([^,};\n]*)/g)].flatMap(([, value]) =>
      [...value!.matchAll(/(?<!=== )'([a-z]+\.[a-z_]+)'/g)].map(([, code]) => code!),
    ),
  );
  return [...new Set(codes)].toSorted();
}
