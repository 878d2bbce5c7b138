import type { tables } from './tables.ts';

type TableName = (typeof tables)[keyof typeof tables]['owns'][number];

/** When rows are deleted, and the scheduled task that does it in small batches; or why rows are kept. Erasure deletes rows about a member earlier. */
export type Retention = { readonly deleted: string; readonly by: string } | { readonly kept: string };

const expired = 'when no access token of the time can still be valid, after it has expired';

/** How long each table keeps its rows. `docs/retention.md` has the same table, which a test compares. */
export const retention: Readonly<Record<TableName, Retention>> = {
  // What is deleted after a time.
  events: { deleted: '30 days after the event', by: 'tasks.cleanUp' },
  tasks: {
    deleted:
      'when the task has succeeded, 30 days later if a user watches it, and a week after it has failed',
    by: 'tasks.cleanUp',
  },
  idempotency_keys: { deleted: 'after a day', by: 'tasks.cleanUp' },
  audit_log: { deleted: 'after `TESSERA_AUDIT_DAYS`, at least 184 days', by: 'audit.forgetEntries' },
  audit_links: { deleted: 'after the entry, when no older link is left', by: 'audit.forgetEntries' },
  users: {
    deleted: 'a removed user when no access token can still be valid; others when they are erased',
    by: 'orgUsers.forgetInvitations',
  },
  sessions: { deleted: expired, by: 'accounts.forgetSessions' },
  session_endings: {
    deleted: 'when no access token of the session can still be valid',
    by: 'accounts.forgetSessions',
  },
  refresh_tokens: { deleted: expired, by: 'accounts.forgetSessions' },
  mailed_tokens: { deleted: expired, by: 'accounts.forgetSessions' },
  mfa_tickets: { deleted: expired, by: 'accounts.forgetSessions' },
  used_challenges: { deleted: 'when the challenge would have expired', by: 'accounts.forgetSessions' },
  guess_allowances: { deleted: 'when guesses are unlimited again', by: 'accounts.forgetSessions' },
  invitations: { deleted: 'a day after the end of the invitation', by: 'orgUsers.forgetInvitations' },
  sso_requests: { deleted: 'when the request has expired', by: 'sso.forgetLogins' },
  sso_assertions: { deleted: 'when the assertion has expired', by: 'sso.forgetLogins' },
  agent_grants: { deleted: '30 days after their end', by: 'agents.forgetGrants' },
  service_tokens: {
    deleted: 'within an hour of their end, after ten minutes',
    by: 'serviceKeys.forgetServiceKeys',
  },
  service_key_changes: {
    deleted: 'within two hours, when every process has read them',
    by: 'serviceKeys.forgetServiceKeys',
  },
  service_key_requests: {
    deleted: 'after seven days, when 100 newer ones of the key follow, or with the key',
    by: 'serviceKeys.forgetServiceKeys',
  },
  service_keys: { deleted: '30 days after their end', by: 'serviceKeys.forgetServiceKeys' },
  culture_drafts: {
    deleted: 'when the answers are sent, or 30 days after the last one was saved',
    by: 'culture.forgetDrafts',
  },
  oauth_artifacts: {
    deleted: 'when the request, code, token or assertion has expired, and when the grant has ended',
    by: 'agents.forgetArtifacts',
  },
  oauth_clients: {
    deleted:
      'a day after the registration if nobody has used the client, or when 10,000 newer ones wait for their first use, else 400 days after the last use',
    by: 'agents.forgetArtifacts',
  },
  data_exports: { deleted: 'after a week', by: 'rights.forgetDataExports' },
  deletion_requests: {
    deleted: 'with the member, after `TESSERA_RETENTION_SECONDS`',
    by: 'rights.eraseMembers',
  },
  matching_changes: { deleted: 'after a day', by: 'matches.forgetChanges' },
  job_changes: { deleted: 'after a day', by: 'matches.forgetChanges' },
  match_index_copies: { deleted: 'after a day', by: 'matches.forgetChanges' },
  match_index_nodes: {
    deleted: 'when the worker stops, or a day after it was killed',
    by: 'matches.forgetChanges',
  },
  waiting_notices: {
    deleted: 'with the digest that says them, within a week',
    by: 'notifications.sendDigests',
  },
  free_reads: { deleted: 'two days later', by: 'reads.forgetQuotes' },
  read_counts: { deleted: '30 days later', by: 'reads.forgetQuotes' },
  read_quotes: { deleted: 'when the quote has expired', by: 'reads.forgetQuotes' },
  read_proposals: {
    deleted: 'when it is paid, or 90 days after it could be',
    by: 'reads.forgetQuotes',
  },
  payment_wallet_challenges: { deleted: 'when the challenge has expired', by: 'payments.forgetChallenges' },
  identity_stubs: {
    deleted: 'two years after it was prepared, unless it was claimed',
    by: 'stubs.forgetStubs',
  },
  stub_observations: { deleted: 'with the stub', by: 'stubs.forgetStubs' },
  credential_offers: {
    deleted: 'a year after it ended without a credential, or with its credential',
    by: 'offers.forgetOffers',
  },
  wallet_offers: { deleted: 'when the offer has expired', by: 'wallets.forgetOffers' },
  candidate_invitations: {
    deleted:
      '30 days after it was declined, withdrawn or cancelled or has expired, a year after it was accepted; the address when it ends',
    by: 'candidates.endInvitations',
  },
  partner_orders: {
    deleted: '30 days after its last state was announced, or its invitation was deleted',
    by: 'partners.followOrders',
  },
  volunteers: {
    deleted: 'a day after an unfinished test, five years after a complete one, or by its volunteer',
    by: 'traits.forgetVolunteers',
  },
  wallet_nonces: { deleted: 'when the nonce has expired', by: 'wallets.forgetOffers' },
  webhook_deliveries: {
    deleted: '30 days after the event, and with the subscription',
    by: 'webhooks.forgetDeliveries',
  },
  // What belongs to a member, until the member is erased.
  members: { kept: 'The account of a person, who decides when it ends.' },
  authenticators: { kept: 'At most one of a user.' },
  passkeys: { kept: 'At most 20 of a user, who removes them.' },
  recovery_codes: { kept: 'A few of a user; new ones replace them.' },
  consent_records: { kept: 'They prove what the member agreed to, and when. They never change.' },
  query_category_records: { kept: 'They prove what the member agreed to, and when. They never change.' },
  assessments: { kept: 'One row an assessment, with its answers, which explain the measurement.' },
  assessment_answers: { kept: 'Only those since the latest result, at most 50.' },
  trait_vectors: {
    kept: 'The history of the measurements, one row an assessment and version of the parameters: a preliminary result is replaced by the next.',
  },
  matching_preferences: { kept: 'One row a member.' },
  self_identifications: { kept: 'One row a member, until the consent is withdrawn.' },
  reach_cells: { kept: 'One row a kind of profile, replaced as a whole; they name no member.' },
  reach_counts: { kept: 'One row, which says when the cells were counted.' },
  read_alignments: { kept: 'At most one a member and organisation.' },
  credentials: { kept: 'A verifier must learn that a credential has expired or was revoked.' },
  credential_holders: { kept: 'As long as the credential.' },
  ledger_journals: {
    kept: 'The books. Nothing in them changes; an erasure moves them to an id that belongs to nobody.',
  },
  ledger_postings: { kept: 'As long as their journal, which is never deleted.' },
  ledger_checkpoints: { kept: 'At most one a member. It repeats what the books say; an erasure deletes it.' },
  payout_nonces: { kept: 'One row for each address that sends payouts.' },
  payouts: { kept: 'One row a payout. An erasure moves them to an id that belongs to nobody.' },
  money_watch: { kept: 'Two rows: what was last observed of the books and the chain.' },
  reads: { kept: 'They explain the books. An erasure moves them to an id that belongs to nobody.' },
  // What belongs to an organisation.
  webhook_subscriptions: {
    deleted: 'by the organisation, which has at most 20; a stream of events a day after its last use',
    by: 'webhooks.forgetStreams',
  },
  free_read_domains: { kept: 'One row a domain, which gives its free reads once.' },
  read_allowances: { kept: 'One row an organisation, which gets its free reads once.' },
  prepaid_balances: { kept: 'One row an organisation. It repeats what the books say.' },
  balance_entries: { kept: 'As long as the books, whose journals they number.' },
  top_ups: { kept: 'They refuse a reference that is recorded a second time, and name no member.' },
  payment_wallets: { kept: 'At most 20 an organisation, until it removes them.' },
  payments: {
    kept: 'The accounts refer to them. An erasure severs the member and deletes the result.',
  },
  payment_keys: { kept: 'They refuse a payment that is presented a second time.' },
  organisations: { kept: 'One row an organisation.' },
  bias_populations: { kept: 'One row, which names no member.' },
  impact_looks: { kept: 'One row, which names no member.' },
  impact_counted: {
    kept: 'One row for each member whose traits were added up with those of others. It is the beginning of a hash of the random id, and names no member.',
  },
  bias_reports: {
    kept: 'They are shown as they were published: a few an organisation and year, at most one for each hundred people. They name no member.',
  },
  bias_counted: {
    kept: 'One row for each person in a report of an organisation, so that nobody is in two. It is the beginning of a hash of the random id, and names no member.',
  },
  organisation_domains: { kept: 'A few rows an organisation; deleted with the domain.' },
  sso_configurations: { kept: 'One row an organisation.' },
  openid_configurations: { kept: 'One row an organisation.' },
  directory_groups: { kept: 'At most 200 rows an organisation, until its directory removes them.' },
  directory_members: { kept: 'One row a group and user in it; deleted with either.' },
  directory_users: { kept: 'One row a user of an organisation; deleted with the user.' },
  openid_subjects: { kept: 'One row a user of an organisation; deleted with the user.' },
  culture_responses: { kept: 'At most one row a user and version of the questionnaire.' },
  culture_profiles: { kept: 'A row for each published profile of an organisation.' },
  jobs: { kept: 'Matches and agreements refer to them.' },
  job_titles: { kept: 'One row a job.' },
  job_versions: { kept: 'At most as many a day as the tier allows. Matches refer to their version.' },
  probing_reports: { kept: 'At most three an organisation.' },
  matches: {
    kept: 'At most 1,000 a job. They record what the service decided, and what both sides answered.',
  },
  match_contacts: { kept: 'At most one a match, and as long as the match.' },
  disclosed_standings: {
    kept: 'At most one an organisation and member, so that no second observation of the member follows within a year.',
  },
  match_references: {
    kept: 'At most one a match, and as long as the match, unless its member withdraws.',
  },
  private_notes: { kept: 'At most one a match, and as long as the match, unless its member withdraws.' },
  match_outcomes: { kept: 'At most 20 a match, and as long as the match. They never change.' },
  match_feedback: { kept: 'At most six a match, and as long as the match. They never change.' },
  learning_observations: { kept: 'At most one a match, and as long as the match.' },
  learning_candidates: { kept: 'At most seven an observation, and as long as the observation.' },
  feedback_stages: {
    deleted: 'when the last stage of the placement has opened',
    by: 'placements.openStages',
  },
  match_reviews: { kept: 'At most three a match, and as long as the match.' },
  candidate_stops: {
    kept: 'One row for each address that wants no invitations from an organisation, as an HMAC that can only be compared.',
  },
  partner_connections: { kept: 'At most one an applicant tracking system, until it is disconnected.' },
  job_followers: { kept: 'A few users of each job, until they stop following it or leave.' },
  boards: { kept: 'At most ten rows an organisation, until it stops following.' },
  board_postings: {
    kept: 'At most 1,000 rows a followed board and one for each open job whose posting has gone, until it is no longer followed.',
  },
  job_visits: { kept: 'One row a user and job that the user has looked at, until the user leaves.' },
  achievements: {
    kept: 'As many as the tier allows, and those that are archived. Credentials refer to them.',
  },
  table_views: { kept: 'At most 20 an organisation.' },
  notification_settings: { kept: 'At most one row a user.' },
  member_notices: { kept: 'At most three rows a member.' },
  read_notices: { kept: 'One row a member whose data was read.' },
  member_matches: { kept: 'As long as the match.' },
  match_counts: { kept: 'A few numbers for each job and organisation.' },
  match_explanations: { kept: 'At most one a match, and as long as the match.' },
  match_explanation_requests: { kept: 'At most one a match and user, and as long as the match.' },
  // What the service needs as a whole.
  job_templates: { kept: 'As many as were imported.' },
  fit_policies: { kept: 'Matches refer to their version. They never change.' },
  fit_policy_uses: { kept: 'One row for each change of the version in use. They never change.' },
  policy_evaluations: { kept: 'At most one a night and command. They never change.' },
  item_banks: {
    kept: 'Versions of parameters refer to their statements. They never change; an operator may delete those without versions.',
  },
  item_parameter_versions: {
    kept: 'Measurements refer to their version. An operator may delete those of imported banks that never were in use.',
  },
  item_findings: { kept: 'What was found about statements, and decided. It names no member.' },
  item_parameter_uses: { kept: 'One row for each change by the operator.' },
  vector_switches: { kept: 'One row for each version that lists were switched to.' },
  vector_rescorings: { kept: 'One row for each time that stored answers were scored again.' },
  status_lists: { kept: 'Verifiers read them as long as a credential may be shown.' },
  status_list_blocks: { kept: 'With their list, 64 rows each.' },
  signing_keys: { kept: 'What they signed must stay verifiable. A few rows a rotation.' },
  matching_change_shards: { kept: 'One row a shard.' },
  migrations: { kept: 'One row a migration.' },
  sandbox: { kept: 'One row, and only in the database of a sandbox.' },
  task_schedules: { kept: 'One row a task with a schedule.' },
};
