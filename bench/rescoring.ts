import { execFile } from 'node:child_process';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { itemBank, type Answer } from '#modules/measurement/traits';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { measureAnswers } from '../src/modules/measurement/traits/measurement/measure-answers.ts';
import {
  simulateAssessment,
  simulateMember,
} from '../src/modules/measurement/traits/measurement/simulated-member.ts';
import { createTemporaryDirectory, root } from './lib/directory.ts';
import { measureTime } from './lib/measure.ts';
import { addMembers } from './lib/members.ts';
import { formatMilliseconds, formatRatio, type Benchmark } from './lib/report.ts';
import { buildEnvironment, startService } from './lib/service.ts';

const version = `${itemBank.version}.00000000000000be`;

/** Measures scoring all stored answers with a new version of the parameters, compared with scoring the same answers in memory. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const members = quick ? 2_000 : 100_000;
  const samples = simulateSamples(quick ? 20 : 200);
  const alone = await measureTime(async () => {
    for (let member = 0; member < members; member++)
      measureAnswers(samples[member % samples.length]!, itemBank);
  });
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  await startService(cleaning, dataDir, [], { TESSERA_RATE_LIMITS: 'off' });
  const client = new pg.Client({ ...(await findRunningPostgres(dataDir))!, ssl: false });
  await client.connect();
  cleaning.defer(() => client.end());
  await insertAssessments(client, members, samples);
  const whole = await measureTime(async () => {
    await runCli(dataDir, ['items', 'use', version]);
    await waitForSwitch(client);
  });
  await checkVectors(client, members);
  return {
    title: `Scoring ${members.toLocaleString('en')} stored assessments again`,
    tables: [
      {
        head: ['what', 'time', 'relative to scoring alone'],
        rows: [
          ['scoring alone, in memory', formatMilliseconds(alone), formatRatio(1)],
          [
            'from `items use` until all lists use the new vectors',
            formatMilliseconds(whole),
            formatRatio(whole / alone),
          ],
        ],
      },
    ],
    notes: [
      `The members share ${samples.length} simulated assessments, each with all of its items. "Alone" is one pass of the same answers through the measurement. The`,
      'whole includes the command, a worker that reads the answers and stores the vectors, and the switch. Target: 10×.',
    ],
  };
};

function simulateSamples(count: number): readonly (readonly Answer[])[] {
  const random = createSeededRandom(43);
  return Array.from({ length: count }, (_, index) =>
    simulateAssessment(simulateMember(random), `bench-${index}`, random),
  );
}

/** Adds members with a consent, a complete assessment and the vector of it, and another version of the parameters. */
async function insertAssessments(
  client: pg.Client,
  members: number,
  samples: readonly (readonly Answer[])[],
): Promise<void> {
  await addMembers(client, members);
  await client.query(
    `insert into consent_records (id, member_id, consent_type, granted, version, created_at)
     select gen_random_uuid(), id, 'assessment_data', true, '1.0', now() from members`,
  );
  const sampleRows = samples.map((answers, place) => ({
    place,
    item_ids: answers.map(({ item_id }) => item_id),
    options: answers.map(({ option }) => option),
  }));
  await client.query(
    `insert into assessments (id, member_id, item_bank_version, parameter_version, stage, started_at, completed_at, quality_flags,
       item_ids, options, answer_times, response_times_ms)
     select gen_random_uuid(), members.id, $2, $3, 'complete', now(), now(), '{}', sample.item_ids, sample.options,
       array_fill(now(), array[cardinality(sample.item_ids)]), array_fill(3000, array[cardinality(sample.item_ids)])
     from (select id, row_number() over (order by id) % $4 as place from members) as members
       join jsonb_to_recordset($1::jsonb) as sample (place integer, item_ids text[], options smallint[]) using (place)`,
    [JSON.stringify(sampleRows), itemBank.version, itemBank.parameter_version, samples.length],
  );
  await client.query('update trait_vectors set parameter_version = $1', [itemBank.parameter_version]);
  await client.query(
    `insert into item_parameter_versions (version, item_bank_version, provisional, parameters, respondents, report, created_at)
     values ($1, $2, false, '{"items": {}, "correlations": null}', 1000, '{}', now())`,
    [version, itemBank.version],
  );
  await client.query('vacuum analyze assessments');
  await client.query('vacuum analyze trait_vectors');
}

async function runCli(dataDir: string, words: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, ['src/app/main.js', 'cli', ...words], {
    cwd: root,
    env: buildEnvironment(dataDir),
  });
}

async function waitForSwitch(client: pg.Client): Promise<void> {
  for (let attempt = 0; attempt < 60_000; attempt++) {
    const { rows } = await client.query<{ parameter_version: string }>(
      'select parameter_version from listed_vector_versions order by position desc limit 1',
    );
    if (rows[0]?.parameter_version === version) return;
    await pause(50);
  }
  throw new Error('the lists were not switched');
}

async function checkVectors(client: pg.Client, members: number): Promise<void> {
  const { rows } = await client.query<{ count: string }>(
    'select count(*) from trait_vectors where parameter_version = $1',
    [version],
  );
  if (Number(rows[0]!.count) !== members) throw new Error(`${rows[0]!.count} vectors were stored`);
}
