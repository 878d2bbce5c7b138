import path from 'node:path';
import pg from 'pg';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { insertCallers, type CallerPair } from './lib/callers.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { addMembers } from './lib/members.ts';
import { formatRatio, type Benchmark } from './lib/report.ts';
import { startService } from './lib/service.ts';

/** The groups that are compared: gender, age, ethnicity, disability, and gender and ethnicity together. */
const dimensions = 5;

/** Measures the publication of a bias report of an organisation over HTTP, beside one sequential scan of the table of matches in the same run. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  const service = await startService(cleaning, dataDir, [], { TESSERA_RATE_LIMITS: 'off' });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const client = new pg.Client(settings);
  await client.connect();
  cleaning.defer(() => client.end());
  const [caller] = await insertCallers(settings, dataDir, service.publicUrl, 1);
  const [members, jobs] = quick ? [1_000, 20] : [50_000, 20];
  await addMatches(client, caller!, { members, jobs });
  const rounds = quick ? 1 : 7;
  const least = { scan: Infinity, report: Infinity, again: Infinity };
  let longest = 0;
  for (let round = 0; round < rounds; round++) {
    least.scan = Math.min(least.scan, await measureWall(() => scanMatches(client)));
    await client.query('truncate bias_reports, bias_counted');
    const done = new AbortController();
    const other = measureOthers(service.publicUrl, done.signal);
    const report = await measureWall(() => readReport(caller!, service.publicUrl, members));
    done.abort();
    least.report = Math.min(least.report, report);
    longest = Math.max(longest, await other);
    const again = await measureWall(() => readReport(caller!, service.publicUrl, members));
    least.again = Math.min(least.again, again);
  }
  return {
    title: `Bias report over ${(members * jobs).toLocaleString('en')} matches of ${members.toLocaleString('en')} people`,
    tables: [
      {
        head: ['', 'wall ms', 'of a scan', 'of a scan, for each dimension'],
        rows: (
          [
            ['sequential scan of the matches', least.scan],
            ['the publication of a report', least.report],
            ['the same report again', least.again],
            ['the longest that another request took meanwhile', longest],
          ] as const
        ).map(([name, wall_ms]) => [
          name,
          wall_ms.toFixed(0),
          formatRatio(wall_ms / least.scan),
          formatRatio(wall_ms / least.scan / dimensions),
        ]),
      },
    ],
    notes: [
      `Least of ${rounds} rounds, and the longest of them for the other requests, which follow one another.`,
      'The report is read over HTTP as JSON, with its counts stored; the scan counts the rows of the organisation and their best tier in',
      'the same database and the same setting of parallel workers. Each person has 20 matches; a third has stated nothing. 100,000 matches have outcomes: 80,000',
      `placements, a quarter of which ended early, with feedback of both sides, and 20,000 that came to nothing. There are ${dimensions} dimensions: four attributes, and two of them together. Target: at most 3 times a scan for each.`,
    ],
  };
};

type Size = { readonly members: number; readonly jobs: number };

/** Adds jobs of the caller's organisation, in each of which all members are matched, with outcomes, feedback and what members say about themselves. */
async function addMatches(
  client: pg.Client,
  { org_id, job_id }: CallerPair,
  { members, jobs }: Size,
): Promise<void> {
  await addMembers(client, members);
  await client.query(
    `insert into jobs select (jsonb_populate_record(job, jsonb_build_object('id', gen_random_uuid(), 'title', 'Archivist ' || place))).*
     from jobs as job, generate_series(1, $2::integer) as place where id = $1`,
    [job_id, jobs],
  );
  await client.query(
    'insert into job_titles (job_id, org_id, title) select id, org_id, title from jobs where org_id = $1 on conflict do nothing',
    [org_id],
  );
  await client.query('alter table matches disable trigger user');
  await client.query(
    `insert into matches (id, member_id, job_id, org_id, match_quality, confidence_level, version, provisional, match_status, computed_at, created_at)
     select gen_random_uuid(), member.id, job.id, $1, (array['exceptional', 'strong', 'moderate', 'developing'])[1 + (place * 7 + number) % 4]::match_quality, 'high',
       job.version, false, (array['pending_review', 'org_interested', 'pending_review', 'member_accepted', 'org_interested', 'pending_review', 'org_passed',
       'pending_review', 'pending_review', 'pending_review'])[1 + floor(random() * 10)::integer]::match_status, now(), now()
     from (select id, version, row_number() over () as number from jobs where org_id = $1 and id <> $2) as job,
       (select id, row_number() over () as place from members where display_name = 'Somebody' limit $3) as member`,
    [org_id, job_id, members],
  );
  await client.query(
    `update matches set match_status = case when random() < 0.8 then 'placed' else 'closed' end::match_status where match_status = 'member_accepted'`,
  );
  await client.query('alter table matches enable trigger user');
  await addOutcomes(client);
  await client.query(`
    insert into self_identifications (member_id, genders, age_band, ethnicities, disability, updated_at)
    select id, array[(array['woman', 'man', 'non_binary'])[1 + place % 3]], (array['under_25', '25_to_34', '35_to_44'])[1 + place / 3 % 3],
      array[(array['asian', 'black', 'white', 'several'])[1 + place / 9 % 4]], (array['yes', 'no'])[1 + place / 36 % 2], now()
    from (select id, row_number() over () as place from members where display_name = 'Somebody') as member where place % 3 > 0 or place % 2 = 0`);
  await client.query(`
    insert into consent_records (id, member_id, consent_type, granted, version, created_at)
    select gen_random_uuid(), member_id, 'demographic_self_identification', true, '1.0', now() from self_identifications`);
  const written = [
    'matches',
    'match_outcomes',
    'match_feedback',
    'self_identifications',
    'consent_records',
    'members',
    'match_contacts',
    'job_titles',
  ];
  for (const table of written) await client.query(`vacuum analyze ${table}`);
}

/** One match in ten has an outcome: eight of ten were placed, of whom a quarter left early, and each placement has feedback of both sides. */
async function addOutcomes(client: pg.Client): Promise<void> {
  await client.query(`
    insert into match_outcomes (job_id, match_id, number, id, outcome, placed_at, recorded_at)
    select job_id, id, 1, gen_random_uuid(), case match_status when 'placed' then 'placed' else 'not_placed' end,
      case match_status when 'placed' then now() - interval '200 days' end, now() from matches where match_status in ('placed', 'closed')`);
  await client.query(`
    insert into match_outcomes (job_id, match_id, number, id, outcome, placed_at, ended_at, recorded_at)
    select job_id, match_id, 2, gen_random_uuid(), 'left', placed_at, placed_at + interval '60 days', now()
    from match_outcomes where outcome = 'placed' and random() < 0.25`);
  await client.query(`
    insert into match_feedback (job_id, match_id, stage_days, respondent, id, overall_rating, created_at)
    select job_id, id, 30, respondent, gen_random_uuid(), 2 + (random() * 3)::integer, now()
    from matches, unnest(array['member', 'organisation']) as respondent where match_status = 'placed'`);
}

/** Requests something else, again and again, and returns the longest time. */
async function measureOthers(url: string, done: AbortSignal): Promise<number> {
  let longest = 0;
  while (!done.aborted)
    longest = Math.max(
      longest,
      await measureWall(() =>
        fetch(`${url}/api/v1/health`).then(async (response) => void (await response.text())),
      ),
    );
  return longest;
}

async function scanMatches(client: pg.Client): Promise<void> {
  await client.query('select org_id, count(*), min(match_quality) from matches group by org_id');
}

async function readReport({ org_id, token }: CallerPair, url: string, people: number): Promise<void> {
  const response = await fetch(`${url}/api/v1/exports/org/${org_id}/bias-report`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const report = (await response.json()) as {
    readonly totals?: { readonly matched: number };
    readonly outcomes?: readonly { readonly true_positive_gap: number | null }[];
  };
  const compared = report.outcomes?.filter((each) => each.true_positive_gap !== null).length ?? 0;
  if (report.totals?.matched !== people || compared === 0)
    throw new Error(`the report returned ${response.status}`);
}

async function measureWall(run: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}
