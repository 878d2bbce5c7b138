import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { proves } from './requirements.ts';
import { formatRowName } from './row-requests.ts';
import { apiRows, mayBeOfType, listOutputPlaces, listPlaces, type Place } from './wire-schemas.ts';

const findNumbers = (places: readonly Place[]) =>
  places.filter(({ schema }) => mayBeOfType(schema, 'number', 'integer')).map(({ at }) => at);

/** What a volunteer reads about themselves, and how far the test is. */
const ofVolunteer: readonly RegExp[] = [
  /^20[01]\.(answered|most)$/,
  /^20[01]\.result\.traits\[\]\.(score|confidence|lower_bound|upper_bound)$/,
  /^20[01]\.result\.insight\.(statements|agreeing)$/,
];

/** What a board has, and the days on which it could not be read. */
const boardNumbers = /^20[01]\.(data\[\]\.)?(failure_count|posting_count|left_out)$/;

/** What a text says about a job, what its words speak for, and what a known job of the organisation has. */
const importedNumbers = [
  /^200\.(drafts\[\]|data\[\]\.draft)\.(salary_min|salary_max|constraints\.years_experience_min|trait_priorities\.\w+|occupation\.template\.trait_priorities\.\w+)$/,
  /^200\.(drafts\[\]|data\[\]\.draft)\.job\.(current|posted)\.(salary_min|salary_max|constraints\.years_experience_min)$/,
];

/** Numbers that may be seen by others than the member they describe. None of them is about a member's traits or matches. */
const harmless: Readonly<Record<string, readonly RegExp[]>> = {
  // The lifetime of the caller's own token.
  'POST /auth/register': [/^201\.expires_in$/],
  'POST /auth/login': [/^200\.expires_in$/],
  'POST /auth/refresh': [/^200\.expires_in$/],
  'POST /auth/reauthenticate': [/^200\.expires_in$/],
  // What the identity has earned; only the one who claims it sees it.
  'POST /identity/claim': [/^201\.(expires_in|earnings_summary\.\w+)$/],
  // How much was observed and earned, for anyone who has the code; the specification shows both. None of it is a trait.
  'GET /identity/stub/{claim_code}': [/^200\.(trait_count|query_count|accrued_earnings)$/],
  'POST /identity/stubs': [/^201\.(trait_count|query_count|accrued_earnings)$/],
  'POST /identity/stubs/{claim_code}/observations': [/^200\.(trait_count|query_count|accrued_earnings)$/],
  // The organisation's own quota.
  'POST /orgs/queries/credential': [/^200\.query_metadata\.remaining_daily_queries$/],
  // The organisation's own quota, and what it has paid itself.
  'GET /orgs/queries/usage': [
    /^200\.(daily_reads|free_reads)(_left)?$/,
    /^200\.monthly\[\]\.(spent|paid_reads|free_reads)$/,
  ],
  'GET /orgs/queries/reads': [/^200\.data\[\]\.(price|price_aud)$/, /^200\.pagination\.total_count$/],
  'POST /marketplace/transactions': [
    /^201\.(price_aud|price_usd|aud_per_usd)$/,
    /^201\.result\.query_metadata\.remaining_daily_queries$/,
  ],
  'POST /marketplace/transactions/{transaction_id}/decline': [/^200\.(price_aud|price_usd|aud_per_usd)$/],
  'GET /marketplace/transactions/{transaction_id}': [/^200\.(price_aud|price_usd|aud_per_usd)$/],
  'GET /marketplace/my-purchases': [
    /^200\.(total_spend_aud|total_spend_usd|transaction_count)$/,
    /^200\.data\[\]\.(price_aud|price_usd|aud_per_usd)$/,
    /^200\.pagination\.total_count$/,
  ],
  'POST /auth/mfa/authenticate': [/^200\.expires_in$/],
  'POST /auth/accept-invitation': [/^201\.expires_in$/],
  'POST /auth/passkeys/authenticate': [/^200\.expires_in$/],
  'POST /auth/handles': [/^201\.expires_in$/],
  'POST /auth/handles/login': [/^200\.expires_in$/],
  // What a visitor reads about themselves, like a member's traits.
  'POST /first-mirror': [
    /^200\.(answered|most)$/,
    /^200\.traits\[\]\.(score|confidence|lower_bound|upper_bound)$/,
    /^200\.insight\.(statements|agreeing)$/,
  ],
  'GET /volunteers': [/^200\.(items|minutes)$/],
  'POST /volunteers': ofVolunteer,
  'GET /volunteers/{code}': ofVolunteer,
  'POST /volunteers/{code}/answers': ofVolunteer,
  'POST /first-mirror/keep': [/^201\.expires_in$/],
  'POST /auth/registrations/open': [/^201\.expires_in$/],
  // What the caller's own agents may spend and have spent, and how many they are.
  'GET /auth/grants': [/^200\.data\[\]\.(spend_cap|spent)$/, /^200\.pagination\.total_count$/],
  'PATCH /auth/grants/{grant_id}': [/^200\.(spend_cap|spent)$/],
  // How long a browser asks, and the numbers of algorithms.
  'POST /auth/passkeys/challenge': [
    /^200\.public_key\.timeout$/,
    /^200\.public_key\.pubKeyCredParams\[\]\.alg$/,
  ],
  'POST /auth/sso/{org_id}/acs': [/^200\.expires_in$/],
  'GET /auth/sso/{org_id}/callback': [/^200\.expires_in$/],
  // The number of the caller's own sessions, of the organisation's users, and of the entries that the caller may read.
  'GET /auth/sessions': [/^200\.pagination\.total_count$/],
  'GET /orgs/me/jobs/{job_id}/references': [/^200\.pagination\.total_count$/],
  'GET /orgs/me/jobs/{job_id}/invitations': [/^200\.pagination\.total_count$/],
  'GET /orgs/me/service-keys': [/^200\.pagination\.total_count$/],
  'GET /operator/service-keys': [/^200\.pagination\.total_count$/],
  'GET /orgs/me/service-keys/{service_key_id}/requests': [/^200\.data\[\]\.(status|duration_ms)$/],
  'GET /operator/service-keys/{service_key_id}/requests': [/^200\.data\[\]\.(status|duration_ms)$/],
  // How many colleagues are in a group of the directory.
  'GET /orgs/me/directory-groups': [/^200\.(data\[\]\.members|pagination\.total_count)$/],
  'PUT /orgs/me/directory-groups/{group_id}/role': [/^200\.members$/],
  'GET /orgs/me/users': [/^200\.pagination\.total_count$/],
  'GET /audit-log': [/^200\.pagination\.total_count$/],
  'GET /audit-log/head': [/^200\.position$/],
  // What the organisation's users together say about the organisation, and how many of them are needed.
  'GET /orgs/me/culture-profile': [/^200\.(version|respondents)$/, /^200\.(braving|cvf)\.\w+$/],
  'GET /orgs/me/culture-profile/questionnaire': [/^200\.(minimum_respondents|respondents_missing)$/],
  'POST /orgs/me/culture-profile/declaration': [/^201\.(version|respondents)$/, /^201\.(braving|cvf)\.\w+$/],
  'POST /orgs/me/culture-profile/responses': [/^201\.(profile_version|respondents_missing)$/],
  // The remaining lifetime of the certificates of the organisation's own identity provider.
  'POST /orgs/{org_id}/sso/configure': [/^200\.idp_certificates\[\]\.days_left$/],
  'GET /orgs/{org_id}/sso/configuration': [/^200\.idp_certificates\[\]\.days_left$/],
  // A coarse band of how many people a job reaches, which no single person moves.
  'POST /orgs/me/jobs/reach': [/^200\.(at_least|less_than)$/],
  'POST /orgs/me/jobs/import': [...importedNumbers, /^200\.left_out$/],
  'POST /orgs/me/jobs/import/address': [...importedNumbers, /^200\.left_out$/],
  'POST /orgs/me/jobs/import/table': [...importedNumbers, /^200\.left_out$/],
  'POST /orgs/me/boards': [boardNumbers],
  'GET /orgs/me/boards': [boardNumbers, /^200\.pagination\.total_count$/],
  'GET /orgs/me/boards/{board_id}': [boardNumbers],
  'PATCH /orgs/me/boards/{board_id}': [boardNumbers],
  'POST /orgs/me/boards/{board_id}/read': [boardNumbers],
  'GET /orgs/me/board-changes': [...importedNumbers, /^200\.pagination\.total_count$/],
  // Predictions from sums over at least fifty members that no request changes, rounded to ten or more.
  'POST /orgs/me/jobs/reach/tiers': [/^200\.(members|tiers\[\]\.about)$/],
  // Groups of at least fifty members, from sums that no request changes, and the organisation's own priorities.
  'POST /orgs/me/jobs/impact': [
    /^200\.(alternatives\[\]\.)?impact\[\]\.groups\[\]\.(people|rate|impact_ratio|ratio_from|ratio_to)$/,
    /^200\.alternatives\[\]\.(correlation|trait_priorities\.\w+)$/,
  ],
  // Groups of at least twenty people, and the organisation's own totals.
  'GET /exports/org/{org_id}/bias-report': [
    /^200\.(year|number|smallest_cell|smallest_group|next_report\.people|totals\.\w+|comparisons\[\]\.groups\[\]\.(people|selected|rate|impact_ratio|ratio_from|ratio_to|fisher_p|mid_p|holm_p|detectable_ratio)|coverage\[\]\.(stated|not_stated)|oversight\.\w+|provenance\.policy_version|trend\[\]\.(year|lowest_ratio))$/,
    /^200\.outcomes\[\]\.((true|false)_positive_(gap|p)|groups\[\]\.(people|good|(true|false)_positive_rate|good_of_(strong|lower)))$/,
    /^200\.measurement\.(precision\[\]\.(standard_error|items)|items\[\]\.(compared|moderate|large|items\[\]\.effect))$/,
    /^200\.(drivers\[\]\.traits\[\]\.share|policy_changes\[\]\.(version|gain|lower_bound|groups_compared))$/,
  ],
  // What the organisation's own tier allows, and what it has used.
  'GET /orgs/me/jobs/limits': [/^200\.(active_jobs|daily_changes)\.(used|limit)$/],
  // What the organisation itself requires in its job, or may require.
  'POST /orgs/me/jobs': [
    /^201\.(salary_min|salary_max|constraints\.years_experience_min)$/,
    /^201\.trait_priorities\.\w+$/,
  ],
  'GET /orgs/me/jobs': [
    /^200\.data\[\]\.(salary_min|salary_max|constraints\.years_experience_min)$/,
    /^200\.data\[\]\.trait_priorities\.\w+$/,
    /^200\.pagination\.total_count$/,
  ],
  'GET /orgs/me/jobs/{job_id}': [
    /^200\.(salary_min|salary_max|constraints\.years_experience_min)$/,
    /^200\.trait_priorities\.\w+$/,
  ],
  // About a job, prices and the service, and about a person who does not exist.
  'POST /job-outline': [/^200\.(asks\[\]\.share|largest_share)$/],
  'GET /prices': [/^200\./],
  'GET /example/traits': [/^200\./],
  'GET /example/read': [/^200\.(price|member_share|service_share|share_percent)$/],
  // Rounded to tens, about at least fifty people.
  'GET /fairness': [
    /^200\.(members|smallest_group|reports_published)$/,
    /^200\.(groups|questions)\[\]\.\w+$/,
  ],
  'GET /job-templates': [/^200\.data\[\]\.trait_priorities\.\w+$/, /^200\.pagination\.total_count$/],
  'PATCH /orgs/me/jobs/{job_id}': [
    /^200\.(salary_min|salary_max|constraints\.years_experience_min)$/,
    /^200\.trait_priorities\.\w+$/,
  ],
  // The number of matches; a match itself has no number.
  'GET /orgs/me/matches': [/^200\.pagination\.total_count$/],
  // How much the organisation has to answer.
  'GET /orgs/me/waiting': [/^200\.(matches|reads|reviews)$/],
  'GET /orgs/me/jobs/{job_id}/table': [/^200\.pagination\.total_count$/],
  // For how long a credential is valid, and how many there are.
  'GET /orgs/me/achievements': [/^200\.pagination\.total_count$/],
  'GET /orgs/me/credentials': [/^200\.data\[\]\.expiry_days$/, /^200\.pagination\.total_count$/],
  'POST /orgs/me/credentials': [/^201\.expiry_days$/],
  'POST /orgs/me/credentials/import': [/^201\.offered$/],
  'POST /orgs/me/credentials/{offer_id}/revoke': [/^200\.expiry_days$/],
  'GET /orgs/me/reviews': [/^200\.pagination\.total_count$/],
  'GET /operator/reviews': [/^200\.pagination\.total_count$/],
  'GET /matches/job/{job_id}': [/^200\.pagination\.total_count$/],
  'GET /matches/member/{member_id}': [/^200\.pagination\.total_count$/],
  'GET /orgs/me/jobs/{job_id}/matches': [/^200\.pagination\.total_count$/],
  // What both sides of a placement say about it, to each other.
  'POST /matches/{match_id}/feedback': [/^201\.(stage_days|overall_rating|performance|belonging|growth)$/],
  'GET /matches/{match_id}/feedback': [
    /^200\.data\[\]\.(stage_days|overall_rating|performance|belonging|growth)$/,
    /^200\.stages\[\]\.stage_days$/,
  ],
  // How much of a member was measured (never the result), and how often a credential was verified.
  'POST /credentials/issue': [/^201\.(claims\.trait_coverage|verifications)$/],
  'GET /credentials/': [/^200\.pagination\.total_count$/],
  'GET /credentials/{credential_id}': [/^200\.(claims\.trait_coverage|verifications)$/],
  'POST /credentials/{credential_id}/revoke': [/^200\.(claims\.trait_coverage|verifications)$/],
  'GET /credentials/{credential_id}/verify': [/^200\.credential\.claims\.trait_coverage$/],
  'GET /credentials/verify': [/^200\.credential\.claims\.trait_coverage$/],
  // The progress of the caller's own task.
  'GET /tasks/{task_id}': [/^200\.progress\.(done|total)$/],
  // Attempts to reach the organisation's own server, and what it replied.
  // What an organisation has paid, for the operator.
  'GET /operator/ledger': [
    /^200\.(accounts\.\w+|fault_count)$/,
    /^200\.cash\.(books|chain|sent)$/,
    /^200\.payouts\[\]\.amount$/,
  ],
  'GET /operator/top-ups': [/^200\.data\[\]\.amount$/],
  'POST /operator/top-ups': [/^200\.(amount|balance)$/],
  // The money of the organisation.
  'GET /orgs/me/balance': [/^200\.(balance|warn_below|announced\[\]\.amount)$/],
  'PATCH /orgs/me/balance': [/^200\.(balance|warn_below|announced\[\]\.amount)$/],
  'POST /orgs/me/balance': [/^201\.amount$/],
  'GET /orgs/me/balance/statement': [
    /^200\.((opening|closing)_balance|next_after)$/,
    /^200\.data\[\]\.(number|amount|balance)$/,
  ],
  'GET /operator/payments': [/^200\.data\[\]\.amount$/],
  'POST /webhooks/': [/^201\.failure_count$/],
  'GET /webhooks/': [/^200\.(data\[\]\.failure_count|pagination\.total_count)$/],
  'GET /webhooks/{subscription_id}': [/^200\.failure_count$/],
  'PATCH /webhooks/{subscription_id}': [/^200\.failure_count$/],
  'POST /webhooks/streams': [/^200\.failure_count$/],
  'POST /webhooks/streams/{subscription_id}/deliveries': [/^200\.deliveries\[\]\.attempt$/],
  'POST /webhooks/{subscription_id}/rotate-secret': [/^200\.failure_count$/],
  'POST /webhooks/{subscription_id}/recover': [/^200\.recovered$/],
  'GET /webhooks/{subscription_id}/deliveries': [
    /^200\.data\[\]\.(attempt|(attempts\[\]\.)?(response_status|duration_ms))$/,
    /^200\.pagination\.total_count$/,
  ],
  'GET /webhooks/{subscription_id}/deliveries/{delivery_id}': [
    /^200\.(attempt|(attempts\[\]\.)?(response_status|duration_ms))$/,
  ],
  'POST /webhooks/{subscription_id}/test': [
    /^200\.(attempt|(attempts\[\]\.)?(response_status|duration_ms))$/,
  ],
  'POST /webhooks/{subscription_id}/deliveries/{delivery_id}/replay': [
    /^200\.(attempt|(attempts\[\]\.)?(response_status|duration_ms))$/,
  ],
  // How the service runs: counts of requests, connections, tasks and accounts, and nothing that was measured of a person.
  'GET /operator/health': [
    /^200\.node\.(uptime_seconds|memory_bytes)$/,
    /^200\.database\.(connections|idle|waiting|connections_max)$/,
    /^200\.queue\.(waiting|scheduled|running|failed|oldest_wait_seconds)$/,
    /^200\.matching\.(members|bytes|lag_seconds)$/,
    /^200\.money\.(book_faults|unresolved_payments)$/,
    /^200\.archive\.drill\.seconds$/,
    /^200\.minutes\[\]\.(requests|refused|failed|median_ms|p95_ms|mails_sent|mails_failed)$/,
  ],
  'GET /operator/users': [/^200\.pagination\.total_count$/],
  'GET /operator/users/{user_id}': [/^200\.(engagement_level|open_sessions)$/],
  'GET /operator/organisations': [/^200\.pagination\.total_count$/],
  'GET /operator/probing': [/^200\.reports\[\]\.report_count$/],
  'GET /operator/queue': [/^200\.tasks\[\]\.(waiting|scheduled|oldest_wait_seconds|running|failed)$/],
  'POST /operator/queue/retry': [/^200\.retried$/],
  'GET /operator/queue/failures': [/^200\.(data\[\]\.attempts|pagination\.total_count)$/],
  'POST /operator/queue/failures/{failure_id}/retry': [/^200\.retried$/],
  // About a statement, from the answers of many people.
  'GET /operator/item-findings': [/^200\.(data\[\]\.(size|answered|respondents)|pagination\.total_count)$/],
  'POST /operator/item-findings/{finding_id}/decide': [/^200\.finding\.(size|answered|respondents)$/],
  'POST /operator/item-findings/{finding_id}/undo': [/^200\.finding\.(size|answered|respondents)$/],
  // About statements, and counts of many people.
  'GET /operator/banks': [/^200\.banks\[\]\.versions\[\]\.respondents$/],
  'GET /operator/banks/{bank}/versions/{version}': [
    /^200\.(respondents|scales\[\]\.(statements|flagged)|statements\[\]\.(discrimination|thresholds\[\]|answers))$/,
  ],
  'GET /operator/banks/{bank}/versions/{version}/preview': [/^200\.(members|left_out|words\..+|tiers\..+)$/],
  'GET /operator/calibrations': [/^200\.(rescoring\.(done|total)|versions\[\]\.respondents)$/],
  // What outcomes have taught matching: aggregates over organisations, and nothing of a person or a job.
  'POST /operator/policies/rollback': [/^200\.(live|before)$/],
  'GET /operator/policies/{version}/preview': [
    /^200\.(live|version|multipliers\[\]\.(live|candidate)|members|tiers\..+)$/,
  ],
  'GET /operator/policies': [
    /^200\.(live|policies\[\]\.(version|parent|outcomes|organisations|evaluation\..+)|uses\[\]\.version)$/,
  ],
  'GET /model-card': [
    /^200\.(version|bounds\..+|weights\[\]\.multipliers\..+|versions\[\]\..+|uses\[\]\.version)$/,
  ],
  // The clock of a sandbox, and how many people were made up with what.
  'GET /sandbox': [/^200\.(ahead_seconds|seed|members|year\.(seed|acts_done|acts_total))$/],
  'GET /operator/match-index': [/^200\.nodes\[\]\.(members|bytes|lag_seconds)$/],
};

const rated = ['stage_days', 'overall_rating', 'performance', 'belonging', 'growth'];

/** Numbers about the job of a match: what it offers, and what both sides themselves say about a placement. */
const offered: Readonly<Record<string, readonly string[]>> = {
  'POST /matches/{match_id}/feedback': rated.map((name) => `201.${name}`),
  'GET /matches/{match_id}/feedback': [
    ...rated.map((name) => `200.data[].${name}`),
    '200.stages[].stage_days',
  ],
  'GET /matches/{match_id}/job': ['200.salary_min', '200.salary_max'],
};

describe('the only number in a reply about matches is the count of its list:', () => {
  const aboutMatches = apiRows.filter(
    ({ path, operation }) =>
      (/match/.test(path) || operation.name.startsWith('matching.')) &&
      // The caller's own requirements for jobs, returned as they were sent.
      path !== '/members/me/matching-preferences' &&
      // A band of how many people meet the conditions of a job, whose traits and matches do not count.
      path !== '/orgs/me/jobs/reach' &&
      // How the index runs, which has no match.
      path !== '/operator/match-index',
  );

  it.each(aboutMatches.map((row) => [formatRowName(row), row] as const))('%s', (_, row) => {
    proves('match-members-see-tier-labels-only');
    expect(
      findNumbers(listOutputPlaces(row)).filter(
        (at) => !at.endsWith('.pagination.total_count') && !offered[formatRowName(row)]?.includes(at),
      ),
    ).toEqual([]);
  });

  it.each(aboutMatches.map((row) => [formatRowName(row), row] as const))(
    '%s describes the quality of a match by a label from a closed list',
    (_, row) => {
      const labels = listOutputPlaces(row).filter(({ name }) => /quality|tier|confidence|status/.test(name));
      expect(labels.filter(({ schema }) => !Array.isArray(schema['enum'])).map(({ at }) => at)).toEqual([]);
    },
  );

  it('covers the rows about matches', () => {
    expect(aboutMatches.map(formatRowName)).toEqual(
      expect.arrayContaining([
        'GET /members/me/matches',
        'GET /orgs/me/jobs/{job_id}/matches',
        'GET /matches/{match_id}',
      ]),
    );
  });
});

describe('a number is visible only to the member it describes, or is on the list of harmless numbers:', () => {
  const seenByOthers = apiRows.filter(({ operation }) => [operation.who].flat().join() !== 'member');

  it.each(seenByOthers.map((row) => [formatRowName(row), row] as const))('%s', (name, row) => {
    const allowed = harmless[name] ?? [];
    expect(
      findNumbers(listOutputPlaces(row)).filter((at) => !allowed.some((expression) => expression.test(at))),
    ).toEqual([]);
  });

  it('the list names only rows and numbers that exist', () => {
    for (const [name, expressions] of Object.entries(harmless)) {
      const row = seenByOthers.find((each) => formatRowName(each) === name);
      const numbers = row ? findNumbers(listOutputPlaces(row)) : [];
      expect([name, expressions.filter((expression) => !numbers.some((at) => expression.test(at)))]).toEqual([
        name,
        [],
      ]);
    }
  });
});

describe('the search for numbers', () => {
  it('finds them in every kind of schema', () => {
    const label = Type.Enum(['strong', 'weak']);
    const withNumbers = {
      score: Type.Number(),
      rank: Type.Optional(Type.Integer()),
      maybe: Type.Union([Type.Null(), Type.Object({ inner: Type.Array(Type.Number()) })]),
      nullable: Type.Unsafe({ type: ['integer', 'null'] }),
      listed: Type.Unsafe({ enum: ['a', 1] }),
      constant: Type.Literal(3),
      anything: Type.Unknown(),
      map: Type.Unsafe({ type: 'object', additionalProperties: { type: 'number' } }),
    };
    const all = listPlaces(Type.Object({ label, text: Type.String(), ...withNumbers }));
    expect(findNumbers(all)).toEqual([
      '.score',
      '.rank',
      '.maybe.inner[]',
      '.nullable',
      '.listed',
      '.constant',
      '.anything',
      '.map.*',
    ]);
  });
});
