import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openDatabase, sql } from '#platform/database/database.ts';
import { createEvaluator } from '../scripts/statements/evaluate.ts';
import {
  listAllNodes,
  listNodes,
  parseSql,
  readTable,
  type SqlNode,
} from '../scripts/statements/parse-sql.ts';
import { readStatements } from '../scripts/statements/read-statements.ts';
import { isTest, readSources } from '../scripts/tidy/source.ts';
import { cleanUpAfterFile } from './clean-up.ts';
import { cloneDatabase } from './harness.ts';

const root = path.join(import.meta.dirname, '..');

/**
 * Values of types that can grow, which statements replace. PostgreSQL writes all of such a value again, so each is bounded, and either small or
 * written seldom. What grows with the number of events has rows of its own.
 */
const rewritten: Readonly<Record<string, string>> = {
  'achievements.alignments': 'At most ten, changed by an administrator.',
  'achievements.image': 'At most 128 KiB, changed by an administrator.',
  'agent_grants.refused_tools': 'At most the tools of the service.',
  'agent_grants.tools': 'At most the tools of the service.',
  'assessments.answer_times':
    'At most the items of the bank, and twice: the first result and the complete one.',
  'assessments.item_ids': 'Like answer_times.',
  'assessments.options': 'Like answer_times.',
  'assessments.quality_flags': 'A closed list.',
  'assessments.response_times_ms': 'Like answer_times.',
  'assessments.trait_stakes': 'Twenty numbers.',
  'authenticators.secret_sealed': 'A secret.',
  'bias_populations.counts':
    'One row, counted again by a task; its size does not depend on the number of members.',
  'board_postings.posting': 'A text of at most 10,000 characters, when its publisher has changed it.',
  'candidate_invitations.email_sealed': 'An address, deleted once.',
  'candidate_invitations.email_hash': 'A hash, deleted once.',
  'partner_connections.key_sealed': 'A key, when an administrator replaces it.',
  'credential_offers.claims': 'A few sentences, once, when the offer opens.',
  'culture_drafts.braving': 'A number for each of 28 statements.',
  'culture_drafts.cvf': 'Four letters for each of six blocks.',
  'culture_responses.braving_points': 'Seven numbers.',
  'culture_responses.cvf_points': 'Four numbers.',
  'data_exports.archive': 'Stored once, after the row, and at most as large as an archive may be.',
  'disclosed_standings.domains': 'The domains of an organisation, at most once a year and member.',
  'idempotency_keys.answer_sealed': 'Stored once, after the row.',
  'impact_looks.groups':
    'One row, added up again by a task at most once a month; its size does not depend on the number of members.',
  'jobs.metadata': 'Twenty texts of 500 characters at most, written by a program of the organisation.',
  'job_templates.trait_priorities': 'Twenty traits at most; imported by the operator.',
  'jobs.constraints': 'A small object.',
  'jobs.list_end': 'A small object, when a computation finds another end.',
  'jobs.trait_priorities': 'Twenty traits at most.',
  'match_explanations.explanation': 'A few sentences, when what they explain has changed.',
  'matching_preferences.remote_policies': 'A closed list.',
  'matching_preferences.values': 'A small object.',
  'oauth_artifacts.payload': 'One authorization in progress; what a person decides is added once.',
  'payments.result': 'Stored once, after the row.',
  'payouts.earlier_hashes': 'At most twelve, as many as a transaction is replaced.',
  'self_identifications.ethnicities': 'At most ten.',
  'self_identifications.genders': 'At most ten.',
  'match_references.metadata': 'At most 20 texts.',
  'private_notes.labels': 'At most ten of 40 characters.',
  'service_keys.key_hash': 'A hash.',
  'service_keys.public_key': 'A public key.',
  'service_keys.previous_public_key': 'A public key.',
  'service_keys.previous_hash': 'A hash.',
  'openid_configurations.auditor_values': 'At most fifty, changed by an administrator.',
  'openid_configurations.client_secret': 'Changed by an administrator.',
  'openid_configurations.email_domains': 'Changed by an administrator.',
  'sso_configurations.email_domains': 'Changed by an administrator.',
  'sso_configurations.idp_certificates': 'At most ten.',
  'status_list_blocks.bits': '256 bytes.',
  'tasks.data': 'Emptied when the task has succeeded.',
  'volunteers.item_ids': 'At most the 50 statements of a test.',
  'volunteers.options': 'Like item_ids.',
  'volunteers.quality_flags': 'A closed list.',
  'volunteers.response_times_ms': 'Like item_ids.',
  'wallet_offers.delivered': 'At most one entry for each form of a credential.',
  'wallet_offers.token_hash': 'A hash.',
  'webhook_deliveries.attempts': 'The ten latest attempts.',
  'webhook_subscriptions.events': 'At most the events of the service.',
  'webhook_subscriptions.previous_secret_sealed': 'A secret.',
  'webhook_subscriptions.secret_sealed': 'A secret.',
};

let growing: ReadonlySet<string>;

beforeAll(async () => {
  const database = openDatabase(await cloneDatabase(), () => undefined);
  cleanUpAfterFile(() => database.close());
  const rows = await database.list(sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type in ('bytea', 'json', 'jsonb', 'ARRAY')`);
  growing = new Set(rows.map(({ name }) => name));
});

/** The columns that a statement changes in rows that exist. */
function listChanged(tree: SqlNode): string[] {
  return listAllNodes(tree).flatMap(({ kind, fields }) => {
    if (kind !== 'UpdateStmt' && kind !== 'InsertStmt') return [];
    const table = readTable(listNodes(fields['relation'], 'RangeVar')[0]!);
    const changes = kind === 'UpdateStmt' ? fields : listNodes(fields['onConflictClause'])[0]?.fields;
    return listNodes(changes?.['targetList']).map((target) => `${table}.${target.fields['name'] as string}`);
  });
}

test('a value that can grow is replaced only where its bound is stated', () => {
  const sources = readSources(root, 'src').filter((source) => !isTest(source.path));
  const changed = new Set<string>();
  for (const { variants } of readStatements(sources, createEvaluator(root)))
    for (const { text } of variants)
      for (const { tree } of parseSql(text)) for (const name of listChanged(tree)) changed.add(name);
  expect([...changed].filter((name) => growing.has(name)).toSorted()).toEqual(
    Object.keys(rewritten).toSorted(),
  );
});
