/** What a module has in the database, and what it uses of other modules (docs/decisions/0023-sql-ownership.md). */
type Ownership = {
  /** Tables that only this module reads and writes. `pgboss.*` is every table of that schema. */
  readonly owns: readonly string[];
  /** Database functions that only this module calls. A trigger function of the platform may be on any table. */
  readonly functions?: readonly string[];
  /** Views over its own tables that modules below may read. */
  readonly publishes?: readonly string[];
  /** Views of modules above that its stores read. */
  readonly reads?: readonly string[];
  /** Those of `reads` whose rows its stores lock. */
  readonly locks?: readonly string[];
  /**
   * Views of any module that its database functions read before they allow an exception. The order of modules does not apply: the database
   * must be able to refuse without trusting the code.
   */
  readonly guards?: readonly string[];
  /** Tables of modules above that its trigger functions are on. */
  readonly follows?: readonly string[];
};

/**
 * TABLE 9: who owns which tables, what each module publishes of them, and which views of others it reads. `tidy` compares it with every
 * statement and with the migrations, and `tables.test.ts` with a migrated database.
 */
export const tables = {
  platform: {
    owns: ['migrations', 'signing_keys', 'events', 'tasks', 'idempotency_keys', 'pgboss.*'],
    functions: ['refuse_change'],
  },
  audit: {
    owns: ['audit_log'],
    functions: ['sever_audit', 'refuse_unless_severed'],
    guards: ['members_marked_for_deletion', 'member_users'],
  },
  orgs: {
    owns: ['organisations'],
    publishes: ['organisation_names'],
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
  auth: {
    owns: [
      'users',
      'sessions',
      'session_endings',
      'refresh_tokens',
      'mailed_tokens',
      'authenticators',
      'recovery_codes',
      'mfa_tickets',
      'guess_allowances',
    ],
    functions: ['note_session_ending'],
    publishes: ['org_users', 'member_users'],
    reads: ['member_names'],
  },
  'org-users': {
    owns: ['invitations'],
    reads: ['organisation_names', 'org_users'],
  },
  sso: {
    owns: ['sso_configurations', 'sso_requests', 'sso_assertions'],
  },
  rights: {
    owns: ['deletion_requests', 'data_exports'],
  },
  traits: {
    owns: [
      'assessments',
      'assessment_answers',
      'trait_vectors',
      'item_parameter_versions',
      'item_parameter_uses',
    ],
    publishes: ['latent_vectors'],
    reads: ['granted_consents'],
  },
  culture: {
    owns: ['culture_responses', 'culture_profiles'],
  },
  jobs: {
    owns: ['jobs', 'job_templates'],
    publishes: ['job_outlines'],
  },
  matching: {
    owns: [
      'matches',
      'match_counts',
      'match_explanations',
      'match_explanation_requests',
      'matching_changes',
      'matching_preferences',
    ],
    functions: ['count_matches', 'note_matching_change', 'note_matching_changes', 'note_matching_erasure'],
    reads: ['organisation_names', 'deployed_members', 'deployed_profiles', 'latent_vectors', 'job_outlines'],
    locks: ['deployed_profiles'],
    follows: ['members', 'trait_vectors'],
  },
  credentials: {
    owns: ['credentials', 'status_lists'],
  },
  wallets: {
    owns: ['wallet_offers', 'wallet_nonces'],
  },
} as const satisfies Readonly<Record<string, Ownership>>;
