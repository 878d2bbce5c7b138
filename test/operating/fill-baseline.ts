import type pg from 'pg';

/*
 * Rows of many members in a database of the baseline, by `generate_series`: what later migrations rewrite or lock. An identifier follows from its number, so that references
 * fit without a look.
 */
const formatId = (kind: number, number = 'n') =>
  `('00000000-000${kind}-4000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
/** Up to two years ago, one after the other. */
const time = `(timestamptz '2026-01-01' - n % 700 * interval '1 day')`;
const traits = 20;
const buildReals = (from: string) =>
  `(select array_agg((${from})::real) from generate_series(1, ${traits}) as trait)`;

/** How many rows of each kind there are for a number of members. */
const listStatements = (members: number): readonly string[] => {
  const buildSeries = (count: number) => `generate_series(1, ${Math.max(1, Math.round(count))}) as n`;
  const orgs = Math.max(1, Math.round(members / 1_000));
  const jobs = orgs * 10;
  const org = formatId(2, `n % ${orgs} + 1`);
  return [
    `insert into organisations (id, name, tier, created_at)
     select ${formatId(2)}, 'Harbour Works ' || n, case n % 3 when 0 then 'E2 Builder' else 'E1 Explorer' end, ${time} from ${buildSeries(orgs)}`,
    `insert into members (id, display_name, assessment_phase, email_verified, assessment_consented, matching_consented, location_country, created_at)
     select ${formatId(1)}, 'Member ' || n, 'complete', true, true, true, 'AU', ${time} from ${buildSeries(members)}`,
    `insert into users (id, email, password_hash, role, member_id, created_at, last_login)
     select ${formatId(3)}, 'member-' || n || '@example.org', repeat('x', 97), 'member', ${formatId(1)}, ${time}, ${time} from ${buildSeries(members)}`,
    `insert into sessions (id, user_id, created_at, last_used_at, expires_at, address)
     select ${formatId(4)}, ${formatId(3)}, ${time}, ${time}, ${time} + interval '90 days', '192.0.2.1' from ${buildSeries(members)}`,
    `insert into notification_settings (user_id, match_proposed, match_accepted, match_declined, updated_at)
     select ${formatId(3)}, 'weekly', 'immediately', 'never', ${time} from ${buildSeries(members / 2)}`,
    `insert into consent_records (id, member_id, consent_type, granted, version, created_at)
     select ${formatId(5)}, ${formatId(1, `n % ${members} + 1`)}, case n % 2 when 0 then 'matching' else 'assessment_data' end, true, '1.0', ${time}
     from ${buildSeries(members * 2)}`,
    // Most assessments are complete; one in fifty is open, with answers of its own.
    `insert into assessments (id, member_id, item_bank_version, started_at, completed_at, item_ids, options, answer_times, response_times_ms)
     select ${formatId(6)}, ${formatId(1)}, 'mvp20-2', ${time}, ${time},
       (select array_agg('item-' || each) from generate_series(1, 50) as each), array_fill(3::smallint, array[50]),
       array_fill(${time}, array[50]), array_fill(4000, array[50])
     from ${buildSeries(members)} where n % 50 > 0`,
    `insert into assessments (id, member_id, item_bank_version, started_at, next_item_id)
     select ${formatId(6)}, ${formatId(1)}, 'mvp20-2', ${time}, 'item-31' from ${buildSeries(members)} where n % 50 = 0`,
    `insert into assessment_answers (assessment_id, position, item_id, option, answered_at, response_time_ms, member_id)
     select ${formatId(6)}, place, 'item-' || place, 3, ${time}, 4000, ${formatId(1)}
     from ${buildSeries(members)}, generate_series(1, 30) as place where n % 50 = 0`,
    `insert into trait_vectors (member_id, version, item_bank_version, vector, latent_mean, latent_variance, created_at)
     select ${formatId(1)}, 1, 'mvp20-2', '{}', ${buildReals('trait / 10.0')}, ${buildReals('0.1')}, ${time} from ${buildSeries(members)}`,
    `insert into jobs (id, org_id, title, outcome_description, status, clearance_required, remote_policy, trait_priorities, created_at)
     select ${formatId(7)}, ${org}, 'Coordinator', 'The ward runs calmly at night.', 'active', 'none', 'hybrid', '{"persistence": 1}', ${time} from ${buildSeries(jobs)}`,
    `insert into job_versions (job_id, version, org_id, trait_priorities, created_at)
     select ${formatId(7)}, version, ${org}, '{"persistence": 1}', ${time} from ${buildSeries(jobs)}, generate_series(1, 2) as version`,
    `insert into matches (id, job_id, member_id, org_id, match_quality, confidence_level, match_status, computed_at, created_at)
     select ${formatId(8)}, ${formatId(7, `n % ${jobs} + 1`)}, ${formatId(1, `n / ${jobs} + n % ${jobs} * 100 + 1`)}, ${formatId(2, `(n % ${jobs} + 1) % ${orgs} + 1`)},
       'strong', 'high', 'pending_review', ${time}, ${time} from ${buildSeries(members)}`,
    `insert into audit_log (id, action, actor_user_id, actor_role, member_id, detail, created_at)
     select ${formatId(9)}, 'consent.granted', ${formatId(3, `n % ${members} + 1`)}, 'member', ${formatId(1, `n % ${members} + 1`)},
       '{"consent_type": "matching"}', ${time} from ${buildSeries(members * 3)}`,
    'analyze',
  ];
};

/** Fills a database of the baseline, and commits. @param members How many; everything else is in proportion. */
export async function fillBaseline(client: pg.Client, members: number): Promise<void> {
  await client.query('set synchronous_commit = off');
  for (const statement of listStatements(members))
    await client.query(statement).catch((error: unknown) => {
      throw new Error(`${statement.slice(0, 60)}: ${(error as Error).message}`, { cause: error });
    });
  await client.query('reset synchronous_commit');
}
