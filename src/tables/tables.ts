/** What a module has in the database, and what it uses of other modules (docs/decisions/storage.md). */
type Ownership = {
  /** Tables that only this module reads and writes. */
  readonly owns: readonly string[];
  /** Database functions that only this module calls. A trigger function of the platform may be on any table. */
  readonly functions?: readonly string[];
  /** Views over its own tables that modules below may read. */
  readonly publishes?: readonly string[];
  /** Views of modules above that its stores read. */
  readonly reads?: readonly string[];
  /** Those of `reads` whose rows its stores lock. */
  readonly locks?: readonly string[];
  /** Views of any module, whatever the order, that its database functions read before they allow an exception: the database trusts no code. */
  readonly guards?: readonly string[];
  /** Tables of modules above that its trigger functions are on. */
  readonly follows?: readonly string[];
};

/** TABLE 9: the tables and views that each module owns, publishes and reads. `tidy` compares it with all SQL, `tables.test.ts` with a migrated database. */
export const tables = {
  platform: {
    owns: ['migrations', 'signing_keys', 'events', 'tasks', 'task_schedules', 'idempotency_keys'],
    functions: ['analyze_table', 'refuse_change'],
  },
  audit: {
    owns: ['audit_log', 'audit_links'],
    functions: ['forget_audit', 'sever_audit', 'refuse_unless_forgotten', 'refuse_unless_severed'],
    guards: ['members_marked_for_deletion', 'member_users'],
  },
  orgs: {
    owns: ['organisations', 'organisation_domains'],
    functions: ['hold_standing'],
    publishes: ['organisation_names', 'suspended_organisations'],
  },
  members: {
    owns: ['members'],
    publishes: ['deployed_members', 'deployed_profiles', 'members_marked_for_deletion', 'member_names'],
  },
  consent: {
    owns: ['consent_records', 'query_category_records'],
    functions: ['erase_consent', 'refuse_deletion'],
    publishes: ['granted_consents'],
    guards: ['members_marked_for_deletion'],
  },
  'self-identification': {
    owns: ['self_identifications'],
    publishes: ['stated_identities'],
    reads: ['granted_consents'],
  },
  accounts: {
    owns: [
      'users',
      'sessions',
      'session_endings',
      'refresh_tokens',
      'mailed_tokens',
      'authenticators',
      'recovery_codes',
      'mfa_tickets',
      'passkeys',
      'used_challenges',
      'guess_allowances',
    ],
    functions: ['note_session_ending'],
    publishes: ['open_accounts', 'org_users', 'member_users'],
    reads: ['member_names', 'suspended_organisations'],
  },
  'org-users': {
    owns: ['invitations'],
    reads: ['organisation_names', 'org_users'],
  },
  sso: {
    owns: [
      'sso_configurations',
      'sso_requests',
      'sso_assertions',
      'openid_configurations',
      'openid_subjects',
    ],
    reads: ['org_users'],
  },
  agents: {
    owns: ['agent_grants', 'oauth_clients', 'oauth_artifacts'],
    reads: ['open_accounts', 'suspended_organisations'],
  },
  'service-keys': {
    owns: ['service_keys', 'service_tokens', 'service_key_requests', 'service_key_changes'],
    functions: ['note_key_change', 'note_key_changes_of_user', 'note_key_changes_of_organisation'],
    follows: ['users', 'organisations'],
    reads: ['open_accounts', 'suspended_organisations'],
  },
  directories: { owns: ['directory_users', 'directory_groups', 'directory_members'], reads: ['org_users'] },
  rights: { owns: ['deletion_requests', 'data_exports'] },
  traits: {
    owns: [
      'assessments',
      'assessment_answers',
      'trait_vectors',
      'item_banks',
      'item_parameter_versions',
      'item_parameter_uses',
      'item_findings',
      'vector_switches',
      'vector_rescorings',
      'volunteers',
    ],
    functions: ['refuse_deletion_of_used_statements', 'refuse_deletion_of_used_version'],
    publishes: ['completed_answers', 'latent_vectors', 'listed_vector_versions'],
    reads: ['granted_consents'],
  },
  culture: { owns: ['culture_responses', 'culture_profiles', 'culture_drafts'] },
  jobs: {
    owns: [
      'jobs',
      'job_versions',
      'job_titles',
      'job_templates',
      'job_followers',
      'job_visits',
      'boards',
      'board_postings',
      'probing_reports',
    ],
    functions: ['lock_active_jobs'],
    publishes: ['job_outlines', 'job_priorities'],
    reads: ['org_users', 'organisation_names', 'suspended_organisations'],
  },
  matches: {
    owns: [
      'matches',
      'member_matches',
      'match_counts',
      'match_explanations',
      'match_explanation_requests',
      'match_contacts',
      'disclosed_standings',
      'private_notes',
      'match_references',
      'table_views',
      'matching_changes',
      'matching_change_shards',
      'job_changes',
      'matching_preferences',
      'match_index_copies',
      'match_index_nodes',
      'reach_cells',
      'reach_counts',
      'fit_policies',
      'fit_policy_uses',
    ],
    publishes: ['logged_matches', 'match_progress'],
    functions: [
      'count_matches',
      'find_database_node',
      'lock_deployed_members',
      'note_job_change',
      'note_matching_change',
      'note_matching_changes',
      'note_matching_erasure',
      'stamp_matching_change',
    ],
    reads: [
      'organisation_names',
      'suspended_organisations',
      'deployed_members',
      'deployed_profiles',
      'granted_consents',
      'org_users',
      'latent_vectors',
      'listed_vector_versions',
      'job_outlines',
      'job_priorities',
    ],
    locks: ['deployed_profiles'],
    guards: ['deployed_profiles'],
    follows: ['members', 'trait_vectors', 'jobs'],
  },
  candidates: {
    owns: ['candidate_invitations', 'candidate_stops'],
    reads: ['suspended_organisations'],
  },
  partners: { owns: ['partner_connections', 'partner_orders'] },
  impact: {
    owns: ['impact_looks', 'impact_counted'],
    reads: ['deployed_members', 'granted_consents', 'latent_vectors', 'stated_identities'],
  },
  placements: {
    owns: ['match_outcomes', 'match_feedback', 'feedback_stages'],
    publishes: ['recorded_outcomes', 'given_ratings'],
  },
  learning: {
    owns: ['learning_observations', 'learning_candidates', 'policy_evaluations'],
    functions: ['grant_learner', 'list_learner_columns'],
    reads: [
      'deployed_members',
      'given_ratings',
      'job_priorities',
      'latent_vectors',
      'listed_vector_versions',
      'logged_matches',
      'recorded_outcomes',
      'suspended_organisations',
    ],
  },
  reviews: {
    owns: ['match_reviews'],
    reads: ['job_outlines', 'organisation_names'],
  },
  notifications: {
    owns: ['notification_settings', 'waiting_notices', 'read_notices', 'member_notices'],
    reads: ['org_users', 'member_users'],
  },
  credentials: { owns: ['credentials', 'credential_holders', 'status_lists', 'status_list_blocks'] },
  achievements: { owns: ['achievements'] },
  offers: { owns: ['credential_offers'] },
  wallets: { owns: ['wallet_offers', 'wallet_nonces'] },
  stubs: { owns: ['identity_stubs', 'stub_observations'] },
  reads: {
    owns: [
      'read_counts',
      'free_reads',
      'free_read_domains',
      'read_allowances',
      'read_quotes',
      'read_alignments',
      'read_proposals',
    ],
  },
  webhooks: {
    owns: ['webhook_subscriptions', 'webhook_deliveries'],
    reads: ['suspended_organisations'],
  },
  payments: {
    owns: ['payments', 'payment_keys', 'payment_wallets', 'payment_wallet_challenges'],
    publishes: ['ended_payments', 'balance_payments'],
    functions: ['guard_payment'],
  },
  books: {
    owns: [
      'ledger_journals',
      'ledger_postings',
      'ledger_checkpoints',
      'payouts',
      'payout_nonces',
      'reads',
      'money_watch',
      'prepaid_balances',
      'balance_entries',
      'top_ups',
    ],
    functions: [
      'enter_balance',
      'checkpoint_ledger',
      'choose_successor',
      'share_holder_of_books',
      'forget_checkpoint',
      'guard_payout',
      'lock_holder_of_books',
      'refuse_empty_journal',
      'refuse_unbalanced_postings',
      'refuse_unless_journal_moved',
      'refuse_unless_posting_moved',
      'sever_ledger',
    ],
    guards: ['members_marked_for_deletion'],
    reads: ['ended_payments', 'balance_payments', 'organisation_names'],
  },
  sandbox: { owns: ['sandbox'] },
  exports: {
    owns: ['bias_counted', 'bias_populations', 'bias_reports'],
    reads: [
      'completed_answers',
      'deployed_members',
      'given_ratings',
      'granted_consents',
      'job_outlines',
      'job_priorities',
      'latent_vectors',
      'match_progress',
      'recorded_outcomes',
      'stated_identities',
    ],
  },
} as const satisfies Readonly<Record<string, Ownership>>;
