import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { simulateAssessment } from '#test/modules/simulated-assessment.ts';
import { loadPopulation } from '../../../../demo/load-population.ts';
import { listParameters } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import { simulateMember } from '../measurement/simulated-member.ts';
import { insertParameterVersion } from '../parameters/store.ts';
import { compareVersion, sumWordChanges } from './compare-version.ts';

const quiet = { write: () => true };
const app = await startApp();
await loadPopulation(app.platform, { members: '12', jobs: '0', seed: '4' }, quiet);
const members: readonly string[] = (
  await app.sql.list(sql<{ id: string }>`select id from members where is_synthetic order by id`)
).map(({ id }) => id);
const random = createSeededRandom(11);
const same = itemBank.parameter_version;
const shifted = 'mvp20-2.00000000000000cc';

/** Stores a complete simulated assessment of a member. */
async function insertAssessment(member_id: string): Promise<void> {
  const answers = simulateAssessment(simulateMember(random), member_id, random);
  await app.sql.run(sql`
    insert into assessments (id, member_id, item_bank_version, started_at, completed_at, quality_flags, item_ids, options)
    values (${randomUUID()}, ${member_id}, ${itemBank.version}, '2026-01-01', '2026-01-01', '{}',
      ${answers.map(({ item_id }) => item_id)}::text[], ${answers.map(({ option }) => option)}::smallint[])`);
}

/** Stores a version that takes everybody for having one deviation less of everything. */
async function insertShifted(): Promise<void> {
  const { items, ...others } = listParameters(itemBank);
  const moved = Object.entries(items).map(([id, { thresholds, ...item }]) => [
    id,
    { ...item, thresholds: thresholds.map((threshold) => threshold + 1) },
  ]);
  await app.platform.database.transaction((tx) =>
    insertParameterVersion(tx, {
      version: shifted,
      item_bank_version: itemBank.version,
      provisional: true,
      base_version: null,
      parameters: { ...others, items: Object.fromEntries(moved) },
      respondents: 900,
      report: {},
      created_at: app.clock.now(),
    }),
  );
}

async function runPreview(version: string, people?: string) {
  const { preview } = await compareVersion(
    app.platform,
    { version, ...(people !== undefined && { people }) },
    quiet,
  );
  return { ...preview, ...sumWordChanges(preview.traits) };
}

test('needs ten members with complete answers, so that it describes no single one', async () => {
  for (const member_id of members.slice(0, 9)) await insertAssessment(member_id);
  await expect(runPreview(same)).rejects.toThrow(
    'at least 10 members with complete answers, but there are 9',
  );
});

test('says that the version in use changes nothing, and how many words another one changes, and stores nothing', async () => {
  for (const member_id of members.slice(9)) await insertAssessment(member_id);
  await insertShifted();
  const countRows = () =>
    app.sql.one(sql<{ rows: number }>`
      select ((select count(*) from item_parameter_versions) + (select count(*) from trait_vectors)
        + (select count(*) from audit_log))::integer as rows`);
  const before = await countRows();
  const unchanged = await runPreview(same);
  expect(unchanged).toMatchObject({ in_use: same, version: same, members: 12, left_out: 0 });
  expect(unchanged.kept).toBeGreaterThan(0);
  expect([unchanged.changed, unchanged.turned, unchanged.appeared, unchanged.disappeared]).toEqual([
    0, 0, 0, 0,
  ]);
  const moved = await runPreview(shifted);
  expect(moved.kept).toBeLessThan(unchanged.kept);
  expect(moved.kept + moved.changed + moved.turned + moved.disappeared).toBe(unchanged.kept);
  expect(moved.traits.map(({ trait }) => trait)).toEqual(itemBank.traits);
  expect(await countRows()).toEqual(before);
});

test('refuses unknown versions and numbers', async () => {
  await expect(runPreview('mvp20-9')).rejects.toThrow('"mvp20-9" does not exist');
  await expect(runPreview(same, '9')).rejects.toThrow('--people must be a whole number from 10 to 20000');
});
