import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { computeCategoryProbabilities, toKeyedCategory } from '@tessera/psychometrics';
import { OperatorError } from '#platform/command-line.ts';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { loadPopulation } from '../../../../demo/load-population.ts';
import { calibrateItems } from './calibrate-items.ts';
import { respondentLimits } from './respondents.ts';
import { formatCalibration } from './report-text.ts';
import { findParameterVersion } from '../parameters/store.ts';
import { listGradedItems } from '#test/modules/items.ts';

const items = listGradedItems('sincerity');
const random = createSeededRandom(71);
const quiet = { write: () => true };

/** Simulates a respondent's options, as shown, for the twelve statements of sincerity. */
function simulateOptions(): number[] {
  const theta = drawStandardNormal(random);
  return items.map((item) => {
    let left = random();
    return toKeyedCategory(
      item,
      computeCategoryProbabilities(item, theta).findIndex((p) => (left -= p) < 0),
    );
  });
}

describe('from stored answers', () => {
  let app: TestApp;
  let members: readonly string[];
  beforeAll(async () => {
    app = await startApp();
    await loadPopulation(app.platform, { members: '125', jobs: '0', seed: '3' }, quiet);
    members = (await app.sql.list(sql<{ id: string }>`select id from members order by id`)).map(
      ({ id }) => id,
    );
  });

  async function insertAssessment(
    member_id: string,
    options: { flags?: string[]; completed?: boolean; at?: string } = {},
  ) {
    const id = randomUUID();
    const { flags = [], completed = true, at = '2026-01-01' } = options;
    const item_ids = items.map((item) => item.id);
    const answers = simulateOptions();
    await app.sql.run(sql`
      insert into assessments (id, member_id, item_bank_version, started_at, completed_at, quality_flags, item_ids, options)
      values (${id}, ${member_id}, 'mvp20-1', ${at}, ${completed ? at : null}, ${flags}, ${completed ? item_ids : null}::text[],
        ${completed ? answers : null}::smallint[])`);
    if (completed) return;
    await app.sql.run(sql`
      insert into assessment_answers (member_id, assessment_id, position, item_id, option, answered_at, response_time_ms)
      select ${member_id}, ${id}, place - 1, item_id, option, ${at}, 2500
      from unnest(${item_ids}::text[], ${answers}::smallint[]) with ordinality as given (item_id, option, place)`);
  }

  test('rejects too few respondents and stores nothing', async () => {
    for (const member of members.slice(0, 99)) await insertAssessment(member);
    await expect(calibrateItems(app.platform, {}, quiet)).rejects.toThrow(
      new OperatorError('a calibration needs at least 100 respondents, but only 99 are available'),
    );
    expect(await app.sql.list(sql`select version from item_parameter_versions`)).toEqual([]);
  });

  test('counts each member once, and excludes careless or unfinished assessments and members without consent', async () => {
    await insertAssessment(members[0]!, { at: '2026-02-01' });
    for (const member of members.slice(99, 110)) await insertAssessment(member);
    await insertAssessment(members[110]!, { flags: ['straight_lining'] });
    await insertAssessment(members[111]!, { completed: false });
    await insertAssessment(members[112]!);
    await app.sql.run(sql`
      insert into consent_records (id, member_id, consent_type, granted, version, created_at)
      values (${randomUUID()}, ${members[112]!}, 'assessment_data', false, 'demo-1', now())`);
    const lines: string[] = [];
    const result = await calibrateItems(app.platform, {}, { write: (text) => lines.push(text) });
    expect(result).toMatchObject({
      respondents: 110,
      left_out: { careless: 1 },
      provisional: true,
      is_new: true,
    });
    expect(lines.at(-1)).toBe('calibrating: 100 %\n');
    const sincerity = result.traits.find(({ trait }) => trait === 'sincerity')!;
    expect(sincerity).toMatchObject({ converged: true, reliability: expect.closeTo(0.9, 1) });
    expect(sincerity.items.every(({ answers }) => answers === 110)).toBe(true);
    // The other traits have no answers: their parameters remain the judged ones, and the report says why.
    const others = result.traits.filter(({ trait }) => trait !== 'sincerity').flatMap((each) => each.items);
    expect(others.every(({ flags }) => flags.join() === 'few_answers')).toBe(true);
  });

  test('stores a version once, with the parameters that it is named after, and never changes it', async () => {
    const again = await calibrateItems(app.platform, {}, quiet);
    expect(again).toMatchObject({ is_new: false, version: expect.stringMatching(/^mvp20-2\.[0-9a-f]{16}$/) });
    const stored = await findParameterVersion(app.sql, again.version!);
    const first = again.traits.find(({ trait }) => trait === 'sincerity')!.items[0]!;
    expect(stored).toMatchObject({ provisional: true, parameters: { correlations: again.correlations } });
    expect(stored!.parameters.items[first.item_id]).toEqual({
      discrimination: first.discrimination,
      thresholds: first.thresholds,
      standard_errors: first.standard_errors,
    });
    const choices = again.choices.find(({ trait }) => trait === 'conflict_style')!;
    expect(choices).toMatchObject({ respondents: 0, converged: true });
    for (const { item_id, popularity } of choices.scenarios)
      expect(stored!.parameters.scenarios![item_id]).toEqual({
        popularity,
        spread: choices.spread,
        norm_error: choices.norm_error,
      });
    await expect(app.sql.run(sql`update item_parameter_versions set provisional = false`)).rejects.toThrow(
      /append-only/,
    );
    await expect(app.sql.run(sql`delete from item_parameter_versions`)).rejects.toThrow(/append-only/);
    const audited = await app.sql.list(sql`select detail from audit_log where action = 'items.calibrated'`);
    expect(audited).toEqual([{ detail: { version: again.version, respondents: 110 } }]);
  });
});

describe('from a file', () => {
  let app: TestApp;
  let dir: string;
  beforeAll(async () => {
    app = await startApp();
    dir = await mkdtemp(path.join(tmpdir(), 'tessera-calibrate-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  async function writeAnswers(header: readonly string[], respondents: number): Promise<string> {
    const csv = path.join(dir, 'answers.csv');
    const rows = Array.from({ length: respondents }, () => simulateOptions().join());
    await writeFile(csv, [header.join(), ...rows].join('\n'));
    return csv;
  }

  test('stores the parameters of our own statements, no longer as provisional from 500 respondents', async () => {
    const csv = await writeAnswers(
      items.map(({ id }) => id),
      respondentLimits.settled,
    );
    const result = await calibrateItems(app.platform, { csv }, quiet);
    expect(result).toMatchObject({ provisional: false, is_new: true, respondents: 500 });
    const [before, after] = [items[0]!, result.traits.find(({ trait }) => trait === 'sincerity')!.items[0]!];
    expect(Math.abs(Math.log(after.discrimination / before.discrimination))).toBeLessThan(0.3);
    const { report, version } = formatCalibration(result);
    expect(version).toBe(result.version);
    expect(report).toMatch(/sincerity +0\.\d{3} +\d\.\d\d/);
    expect(report).toContain('discretion_01: few_answers');
  });

  test('reports on another questionnaire and stores nothing', async () => {
    const names = items.map((_, index) => `Q${index}`);
    const csv = await writeAnswers(names, 150);
    const key = path.join(dir, 'scale.key');
    const signed = names.map((name, index) => (items[index]!.reversed ? `-${name}` : name));
    await writeFile(key, `honest: ${signed.join(' ')}`);
    const before = await app.sql.list(sql`select version from item_parameter_versions`);
    const result = await calibrateItems(app.platform, { csv, key }, quiet);
    expect(result).toMatchObject({ version: null, is_new: false, respondents: 150 });
    expect(result.traits.map(({ trait }) => trait)).toEqual(['honest']);
    expect(result.traits[0]!.reliability).toBeGreaterThan(0.8);
    expect(await app.sql.list(sql`select version from item_parameter_versions`)).toEqual(before);
  });

  test('rejects a key without a file', async () => {
    await expect(calibrateItems(app.platform, { key: 'x' }, quiet)).rejects.toThrow(OperatorError);
  });
});
